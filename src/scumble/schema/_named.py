"""Values that a specification calls by name: a frozen bag of parameters each."""

import difflib
import importlib
from dataclasses import MISSING, fields
from typing import Any, ClassVar, Self

from scumble.errors import SpecificationError


class Named:
    """What a specification may name for an attribute.

    A family of such values, mechanisms for one, is a subclass with a `noun`. In it,
    declaring a subclass with a `name` is enough to make it known to specifications.

    Attributes
    ----------
    name : str
        What a specification calls it.
    kinds : tuple of str
        The kinds of attribute that it is for, such as "numeric".
    noun, verb : str
        What the family is called, and what it does to an attribute.
    home : str
        The package that declares the members that come with scumble. It stands above this
        one, and is imported when a member is first asked for by name.
    """

    name: ClassVar[str] = ""
    kinds: ClassVar[tuple[str, ...]] = ()
    noun: ClassVar[str] = ""
    verb: ClassVar[str] = ""
    home: ClassVar[str] = ""
    _known: ClassVar[dict[str, type[Any]]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "noun" in cls.__dict__:
            cls._known = {}
        if "name" in cls.__dict__:
            cls._known[cls.name] = cls

    def check(self, domain: Any) -> None:
        """Raise a SpecificationError where this is not for such an attribute."""
        if domain.kind not in self.kinds:
            raise SpecificationError(
                f"{self.noun}: {self.name!r} {self.verb} {' or '.join(self.kinds)} attributes, "
                f"got a {domain.kind} one"
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the name and the parameters that differ from their defaults."""
        given: dict[str, Any] = {"name": self.name}
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value != field.default:
                given[field.name] = list(value) if isinstance(value, tuple) else value
        return given

    @classmethod
    def names(cls) -> list[str]:
        """Return the names that a specification may use."""
        return sorted(cls._members())

    @classmethod
    def _members(cls) -> dict[str, type[Any]]:
        """Return the family by name, with those who are at home."""
        if cls.home:
            importlib.import_module(cls.home)
        return cls._known

    @classmethod
    def from_dict(cls, given: Any) -> Self:
        """Return the value that a table of a specification describes."""
        if not isinstance(given, dict) or "name" not in given:
            example = next(iter(cls.names()), "")
            raise SpecificationError(
                f'expected a table with a name, such as {{ name = "{example}" }}'
            )
        parameters = {key: value for key, value in given.items() if key != "name"}
        members = cls._members()
        found = members.get(given["name"]) if isinstance(given["name"], str) else None
        if found is None:
            raise SpecificationError(
                f"name: unknown {cls.noun} {given['name']!r}{suggestion(given['name'], members)}"
            )
        known = [field.name for field in fields(found)]
        for key in parameters:
            if key not in known:
                raise SpecificationError(
                    f"{key}: {given['name']!r} has no such parameter{suggestion(key, known)}"
                )
        for field in fields(found):
            if field.default is MISSING and field.name not in parameters:
                raise SpecificationError(f"{field.name}: {given['name']!r} needs this parameter")
        made: Self = found(**parameters)
        return made


def suggestion(word: Any, known: Any) -> str:
    """Return the end of an error: what was probably meant, or what there is."""
    close = difflib.get_close_matches(str(word), list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are {', '.join(sorted(known))}"


def near(word: Any, known: Any) -> str:
    """Return the end of an error: what was probably meant, but no list of what there is.

    The first line of a file without a header is a record.
    """
    close = difflib.get_close_matches(str(word), [str(name) for name in known], n=1)
    return (
        f"; did you mean {close[0]!r}?" if close else "; check the name, and that there is a header"
    )
