"""Attributes that are any text."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

from scumble.columns import as_arrow, holds_text
from scumble.errors import DomainError, SpecificationError
from scumble.schema._mechanism import Mechanism
from scumble.schema._sensitivity import Sensitivity, disguise_to_dict, settle_sensitivity
from scumble.schema._treatment import Treatment


@dataclass(frozen=True)
class Text:
    """Any text, such as a name, a note or a free answer: there is no list of values.

    It is told or withheld. No channel can disguise it, and nothing is mined from it: trees
    and populations leave it out.

    Parameters
    ----------
    sensitivity : {"public", "private", "withheld"}, optional
        By default public. What is private needs a treatment of the whole column.
    mechanism
        None: no channel disguises text.
    treatment : Treatment, optional
        What a custodian does to the whole column before a release.

    Examples
    --------
    >>> from scumble import Text
    >>> Text(sensitivity="withheld").conform(["Ada", None]).to_pylist()
    ['Ada', None]
    """

    kind: ClassVar[Literal["text"]] = "text"
    _: KW_ONLY
    sensitivity: Sensitivity | None = None
    mechanism: Mechanism | None = None
    treatment: Treatment | None = None

    def __post_init__(self) -> None:
        bare = self.sensitivity == "private" and self.treatment is None
        if self.mechanism is not None or bare:
            raise SpecificationError(
                "mechanism: no channel can disguise text, which has no list of values; a private "
                "text needs a treatment of the whole column, else declare it withheld"
            )
        settle_sensitivity(self)

    @property
    def told(self) -> "Text":
        """What is told of a truth where it is not disguised: the text."""
        return self

    def conform(self, values: Any) -> Any:
        """Return a column as an Arrow array of text; what is missing stays missing.

        Raises
        ------
        DomainError
            If it is no column of text. What it holds is not shown.
        """
        import pyarrow as pa

        array = as_arrow(values)
        if array.null_count < len(array) and not holds_text(array.type):
            kind = str(array.type).partition("<")[0]
            raise DomainError(f"expected text, got a column of type {kind}")
        if isinstance(array, pa.ChunkedArray):
            array = array.combine_chunks()
        # Of two gigabytes of text and more, too.
        return array.cast(pa.large_string())

    def to_dict(self) -> dict[str, Any]:
        """Return the attribute as a table of a specification."""
        return {"kind": self.kind} | disguise_to_dict(self)
