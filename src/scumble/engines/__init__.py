"""Who counts. Counts are all that reconstruction and mining ever see."""

from scumble.engines._counts import Counts, count_codes, count_reports

__all__ = ["Counts", "count_codes", "count_reports"]
