"""Every error and warning that scumble raises.

    ScumbleError
    ├── SpecificationError      a specification, attribute or mechanism is not valid
    ├── DomainError             values lie outside the declared domain
    ├── TableError              a table does not fit its specification
    ├── ReconstructionError     counts that cannot have come through the channel
    ├── ReleaseError            a treated table is not fit to be released
    ├── ModelError              a file is not a model that this version reads
    ├── EntropyError            randomness asked for in a way that would not be safe
    ├── DatasetError            a data set cannot be found, fetched or trusted
    └── MechanismCheckError     a mechanism does not do what it states

    ScumbleWarning
    └── ConvergenceWarning      an iteration stopped before it settled

A message has the shape *where: expected ..., got ...; what to do*. It may show
parameters; it never shows a record, only how many there are.
"""

import re


class ScumbleError(Exception):
    """Base of every error that scumble raises on purpose."""


class SpecificationError(ScumbleError, ValueError):
    """A specification, attribute or mechanism is not valid."""

    def within(self, *path: str) -> "SpecificationError":
        """Return the same error, located one level further out.

        Examples
        --------
        >>> print(SpecificationError("low: expected a number").within("attributes.age"))
        attributes.age.low: expected a number
        >>> print(SpecificationError("expected a table").within("attributes.age"))
        attributes.age: expected a table
        """
        text = str(self)
        joint = "." if re.match(r"[\w.-]+: ", text) else ": "
        return SpecificationError(".".join(path) + joint + text)


class DomainError(ScumbleError, ValueError):
    """Values lie outside the declared domain."""


class TableError(ScumbleError, ValueError):
    """A table does not fit its specification."""


class ReconstructionError(ScumbleError, ValueError):
    """Counts that cannot have come through the channel."""


class ReleaseError(ScumbleError, ValueError):
    """A treated table is not fit to be released."""


class ModelError(ScumbleError, ValueError):
    """A file is not a model that this version reads."""


class EntropyError(ScumbleError, ValueError):
    """Randomness asked for in a way that would not be safe."""


class DatasetError(ScumbleError, LookupError):
    """A data set cannot be found, fetched or trusted."""


class MechanismCheckError(ScumbleError, AssertionError):
    """A mechanism does not do what it states."""


class ScumbleWarning(UserWarning):
    """Base of every warning that scumble gives."""


class ConvergenceWarning(ScumbleWarning):
    """An iteration stopped before it settled."""
