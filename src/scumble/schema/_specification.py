"""The specification: what respondents, collectors and miners agree on."""

import datetime
import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scumble.atomic import write_whole
from scumble.dates import day_of
from scumble.errors import SpecificationError
from scumble.schema._attribute import KINDS, Attribute, Domain, attribute_from_dict
from scumble.schema._categorical import Categorical
from scumble.schema._criteria import Criteria
from scumble.schema._named import suggestion
from scumble.schema._text import Text

FORMAT_VERSION = 1
_KEYS = ("version", "class", "release", "attributes")
_BOUNDS = ("low", "high", "cuts")


@dataclass(frozen=True, eq=False)
class Specification:
    """Attributes by name, and which of them is the class.

    Parameters
    ----------
    attributes : mapping of str to Numeric, Categorical, Date or Text
        The attributes, in the order of the table's columns.
    class_attribute : str, optional
        The column that models predict; `class` in a file. It may be among the
        attributes, and then may be disguised like any other.
    release : Criteria, optional
        What a custodian's release must fulfil; by default the usual criteria.

    Examples
    --------
    >>> from scumble import Categorical, Numeric, Specification
    >>> from scumble.mechanisms import GaussianNoise
    >>> spec = Specification({"age": Numeric(20, 80, mechanism=GaussianNoise(privacy=1.0))})
    >>> print(spec.to_toml())
    version = 1
    <BLANKLINE>
    [attributes.age]
    kind = "numeric"
    low = 20.0
    high = 80.0
    sensitivity = "private"
    <BLANKLINE>
    [attributes.age.mechanism]
    name = "gaussian"
    privacy = 1.0
    <BLANKLINE>
    >>> Specification.from_dict(spec.to_dict()) == spec
    True
    """

    attributes: Mapping[str, Attribute]
    _: KW_ONLY
    class_attribute: str | None = None
    release: Criteria | None = None
    version: int = field(default=FORMAT_VERSION)

    def __post_init__(self) -> None:
        if not isinstance(self.attributes, Mapping) or not self.attributes:
            raise SpecificationError("attributes: expected at least one attribute")
        for name, attribute in self.attributes.items():
            if not isinstance(name, str) or type(attribute) not in KINDS.values():
                raise SpecificationError(
                    f"attributes.{name}: expected Numeric, Categorical, Date or Text, "
                    f"got {type(attribute).__name__}"
                )
        if self.class_attribute is not None and not isinstance(self.class_attribute, str):
            raise SpecificationError("class: expected the name of a column")
        target = self.declared_class
        if target is not None and not isinstance(target, Categorical):
            raise SpecificationError(
                f"class: expected a categorical attribute, got a {target.kind} one"
            )
        if target is not None and target.coding is not None:
            raise SpecificationError(
                f"attributes.{self.class_attribute}.coding: expected none for the class; code the "
                "classes before they are given"
            )
        if type(self.version) is not int or self.version != FORMAT_VERSION:
            raise SpecificationError(
                f"version: expected {FORMAT_VERSION}, got {self.version!r}; "
                "read the file with the scumble that wrote it"
            )
        if self.release is not None and not isinstance(self.release, Criteria):
            raise SpecificationError(
                f"release: expected Criteria, got {type(self.release).__name__}"
            )
        object.__setattr__(self, "attributes", MappingProxyType(dict(self.attributes)))
        _check_groups(self)
        _check_treatments(self)

    def __getitem__(self, name: str) -> Attribute:
        if name not in self.attributes:
            raise SpecificationError(
                f"attributes: no attribute {name!r}{suggestion(name, self.attributes)}"
            )
        return self.attributes[name]

    def domain(self, name: str) -> Domain:
        """Return an attribute that something can be mined from: any but text."""
        attribute = self[name]
        if isinstance(attribute, Text):
            raise SpecificationError(
                f"attributes.{name}: expected a number, a date or categories, got a text; nothing "
                "is mined from it, leave it out"
            )
        return attribute

    def __iter__(self) -> Iterator[str]:
        return iter(self.attributes)

    def __len__(self) -> int:
        return len(self.attributes)

    def __eq__(self, other: object) -> bool:
        # The order of the attributes is the order of the columns: the digest minds it.
        return isinstance(other, Specification) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __getstate__(self) -> dict[str, Any]:
        # A mapping proxy cannot be pickled; the plain table says the same.
        return self.to_dict()

    def __setstate__(self, state: dict[str, Any]) -> None:
        spec = Specification.from_dict(state)
        for name in ("attributes", "class_attribute", "release", "version"):
            object.__setattr__(self, name, getattr(spec, name))

    @property
    def declared_class(self) -> Attribute | None:
        """What is declared of the class, where it is among the attributes."""
        # A column may have no name, but then it is not the class.
        return None if self.class_attribute is None else self.attributes.get(self.class_attribute)

    @property
    def groups(self) -> dict[str, list[str]]:
        """The attributes that share a coin, by the name of their group."""
        groups: dict[str, list[str]] = {}
        for name, attribute in self.attributes.items():
            group = getattr(attribute.mechanism, "group", None)
            if group is not None:
                groups.setdefault(group, []).append(name)
        return groups

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the meaning, the same for TOML and JSON (SHA-256)."""
        canonical = json.dumps(self.to_dict(), sort_keys=False, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """Return the specification as plain tables."""
        given: dict[str, Any] = {"version": self.version}
        if self.class_attribute is not None:
            given["class"] = self.class_attribute
        if self.release is not None:
            given["release"] = self.release.to_dict()
        given["attributes"] = {name: a.to_dict() for name, a in self.attributes.items()}
        return given

    @classmethod
    def from_dict(cls, given: Any) -> "Specification":
        """Return the specification that plain tables describe."""
        if not isinstance(given, dict):
            raise SpecificationError("expected a table")
        for key in given:
            if key not in _KEYS:
                raise SpecificationError(f"{key}: unknown key{suggestion(key, _KEYS)}")
        tables = given.get("attributes")
        if not isinstance(tables, dict):
            raise SpecificationError("attributes: expected a table for each attribute")
        attributes = {}
        for name, table in tables.items():
            try:
                attributes[name] = attribute_from_dict(table)
            except SpecificationError as error:
                raise error.within("attributes", name) from None
        return cls(
            attributes,
            class_attribute=given.get("class"),
            release=_criteria(given.get("release")),
            version=given.get("version", FORMAT_VERSION),
        )

    def to_toml(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the specification as TOML, and write it to a file if one is named."""
        import tomli_w

        text = tomli_w.dumps(_with_dates(self.to_dict()))
        if path is not None:
            write_whole(path, text)
        return text

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the specification as JSON, and write it to a file if one is named."""
        text = json.dumps(self.to_dict(), indent=2) + "\n"
        if path is not None:
            write_whole(path, text)
        return text

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> "Specification":
        """Read a specification from a TOML file."""
        return cls._from_file(path, tomllib.loads)

    @classmethod
    def from_json(cls, path: str | os.PathLike[str]) -> "Specification":
        """Read a specification from a JSON file."""
        return cls._from_file(path, lambda text: json.loads(text, object_pairs_hook=_unique))

    @classmethod
    def _from_file(cls, path: str | os.PathLike[str], parse: Any) -> "Specification":
        name = Path(path).name
        if len(str(path).splitlines()) > 1 or str(path).lstrip().startswith("{"):
            # Not shown: it may be anything.
            raise SpecificationError(
                f"path: expected the name of a file, got a text of {len(str(path))} characters; "
                "from_dict takes what a text says, once it is read by json or tomllib"
            )
        try:
            return cls.from_dict(parse(Path(path).read_text(encoding="utf-8")))
        except OSError as error:
            raise SpecificationError(
                f"{name}: cannot be read ({error.strerror}); check the path"
            ) from None
        except SpecificationError as error:
            raise SpecificationError(f"{name}: {error}") from None
        except (ValueError, RecursionError) as error:
            raise SpecificationError(f"{name}: not a valid file ({error})") from None


def _with_dates(given: Any, *, bounds: bool = False) -> Any:
    """Return tables with dates of TOML's own where bounds are dates, which are text in JSON."""
    if isinstance(given, dict):
        return {key: _with_dates(value, bounds=key in _BOUNDS) for key, value in given.items()}
    if isinstance(given, list):
        return [_with_dates(value, bounds=bounds) for value in given]
    if bounds and isinstance(given, str) and day_of(given) is not None:
        return datetime.date.fromisoformat(given)
    return given


def _criteria(given: Any) -> Criteria | None:
    if given is None:
        return None
    try:
        return Criteria.from_dict(given)
    except SpecificationError as error:
        raise error.within("release") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise SpecificationError(f"{name}: expected once, got {names.count(name)} times")
    return dict(pairs)


def _check_groups(spec: Specification) -> None:
    for group, members in spec.groups.items():
        first = spec.attributes[members[0]].mechanism
        for name in members[1:]:
            mechanism = spec.attributes[name].mechanism
            same_coin = getattr(mechanism, "keep", None) == getattr(first, "keep", None)
            if type(mechanism) is not type(first) or not same_coin:
                raise SpecificationError(
                    f"attributes.{name}.mechanism: group {group!r} shares one coin, so its members "
                    f"need the mechanism and keep of {members[0]!r}"
                )


def _check_treatments(spec: Specification) -> None:
    """Raise where a treatment reads a column that is not declared."""
    for name, attribute in spec.attributes.items():
        for other in () if attribute.treatment is None else attribute.treatment.reads:
            if other not in spec.attributes and other != spec.class_attribute:
                raise SpecificationError(
                    f"attributes.{name}.treatment: no attribute {other!r}"
                    f"{suggestion(other, spec.attributes)}"
                )
