"""Pages for people: self-contained HTML with figures, and pictures of text."""

from scumble.report._audit_page import audit_page, write_audit_page
from scumble.report._bars import bars, reconstruction_text, sketch
from scumble.report._demo_page import AttributeRow, Demo, TreeRow, demo_page
from scumble.report._doctor import Finding, examine
from scumble.report._reconstructions import reconstruct_all, save_reconstructions

__all__ = [
    "AttributeRow",
    "Demo",
    "Finding",
    "TreeRow",
    "audit_page",
    "bars",
    "demo_page",
    "examine",
    "reconstruct_all",
    "reconstruction_text",
    "save_reconstructions",
    "sketch",
    "write_audit_page",
]
