"""Checks for those who add a mechanism."""

from scumble.testing._mechanism import check_mechanism

__all__ = ["check_mechanism"]
