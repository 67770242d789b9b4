"""The manifest: what was done to a released table, and what that protects."""

import json
import textwrap
from dataclasses import dataclass
from typing import Any

from scumble.release._criteria import Check
from scumble.schema import Specification
from scumble.treatments import GroupRare, Together

_WIDTH = 80


@dataclass(frozen=True)
class Manifest:
    """What is published beside a released table.

    It holds no record, and nothing that would repeat the randomness. Of the specification it
    leaves out what the table leaves out: the values and bounds of withheld attributes, and
    the list of those among which rare ones were put together.

    Attributes
    ----------
    version : str
        The version of scumble.
    spec : Specification
        What was declared.
    records : int
        The number of records.
    attributes : tuple of dict
        Each attribute with its method and measures.
    checks : tuple of Check
        The criteria, all of them fulfilled.
    file : dict
        The name, the size and the digest of the released file; empty where none was
        written.
    together : Together, optional
        How many records look alike in all that is told in clear or coarsened.
    """

    version: str
    spec: Specification
    records: int
    attributes: tuple[dict[str, Any], ...]
    checks: tuple[Check, ...]
    file: dict[str, Any]
    together: Together | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest as plain tables."""
        criteria = self.spec.release
        return {
            "scumble": self.version,
            "records": self.records,
            "rows": "shuffled" if criteria is None or criteria.shuffle_rows else "as given",
            "randomness": "cryptographic, not kept",
            "file": self.file,
            "attributes": list(self.attributes),
            "together": None if self.together is None else self.together.to_dict(),
            "criteria": [check.to_dict() for check in self.checks],
            "specification": {"digest": self.spec.digest} | _published(self.spec),
        }

    def to_json(self) -> str:
        """Return the manifest as JSON."""
        return json.dumps(self.to_dict(), indent=2, default=str) + "\n"

    def to_text(self) -> str:
        """Return a table of at most 80 columns: each attribute, its method, its exposure.

        A guess is that of an intruder who knows the population and sees the record; beside
        it that of one who sees nothing. Last stands what attributes tell together.
        """
        lines = [f"{'attribute':<22}{'method':<24}{'guess':>8}{'blind':>8}{'group':>9}"]
        for row in self.attributes:
            name = str(row["name"])
            method = row["method"].get("name", "as it is")
            line = f"{name if len(name) < 22 else name[:20] + '…':<22}{method:<24}"
            exposure = row.get("exposure")
            if exposure is not None:
                line += f"{exposure['identified']:>8.3f}{exposure['base']:>8.3f}"
                line += f"{exposure['group']:>9,}"
            lines.append(line.rstrip())
        if self.together is not None:
            lines += textwrap.wrap(self.together.sentence, _WIDTH, break_on_hyphens=False)
        return "\n".join(lines)


def _published(spec: Specification) -> dict[str, Any]:
    """Return a specification as plain tables, without values that were kept out of the table."""
    given = spec.to_dict()
    for name, attribute in spec.attributes.items():
        if attribute.sensitivity == "withheld":
            kept = {"kind": attribute.kind, "sensitivity": attribute.sensitivity}
            given["attributes"][name] = kept
        elif isinstance(attribute.treatment, GroupRare):
            given["attributes"][name].pop("values", None)
    return given
