"""The custodian: plan, treat and release a table."""

from scumble.release._criteria import Check
from scumble.release._disguised_plan import disguised_specification, disguised_text
from scumble.release._manifest import Manifest
from scumble.release._plan import Plan, Planned, plan
from scumble.release._release import Release, release

__all__ = [
    "Check",
    "Manifest",
    "Plan",
    "Planned",
    "Release",
    "disguised_specification",
    "disguised_text",
    "plan",
    "release",
]
