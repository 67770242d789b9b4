"""Pages for people: self-contained HTML with figures."""

from scumble.report._audit_page import audit_page, write_audit_page

__all__ = ["audit_page", "write_audit_page"]
