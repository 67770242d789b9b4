"""What a custodian does to an attribute of a whole table, before it is released."""

from typing import ClassVar

from scumble.schema._named import Named


class Treatment(Named):
    """A way to protect an attribute that needs the whole table.

    A mechanism disguises one answer, and a respondent can do it alone. A treatment, such
    as shuffling, needs the other records too: only who holds the table can do it. Its
    parameters are declared like those of a mechanism; the work is done in
    `scumble.treatments`.
    """

    noun: ClassVar[str] = "treatment"
    verb: ClassVar[str] = "treats"
    home: ClassVar[str] = "scumble.treatments"

    @property
    def reads(self) -> tuple[str, ...]:
        """The other attributes that it looks at."""
        return ()
