"""Multi-group randomized response: which attributes share a coin, and how it falls."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from scumble.errors import SpecificationError
from scumble.mechanisms._partition import Groups, keep_of, members_of
from scumble.mechanisms._unrelated_question import UnrelatedQuestion
from scumble.mechanisms._warner import Warner
from scumble.schema import Attribute, Numeric, Specification, Text, with_mechanism
from scumble.schema._named import suggestion

ClassIn = Literal["group", "own", "clear"]
CLASS_GROUP = "class"
_MECHANISMS: dict[str, type[Warner] | type[UnrelatedQuestion]] = {
    Warner.name: Warner,
    UnrelatedQuestion.name: UnrelatedQuestion,
}


def grouped(
    spec: Specification,
    *,
    keep: float | Sequence[float] | Mapping[str, float],
    groups: Groups = 1,
    class_in: ClassIn = "group",
    clear: Sequence[str] = (),
    mechanism: Literal["warner", "unrelated-question"] = "warner",
    seed: int | None = None,
) -> Specification:
    """Return a specification whose attributes are disguised in groups, one coin for each.

    Parameters
    ----------
    spec : Specification
        The attributes, in clear. With "warner" each has two values, as
        `binary_specification` makes them. What is withheld stays so.
    keep : float, sequence or mapping of str to float
        The probability that a group is told truly: one for all groups, one for each, or
        by the name of the group.
    groups : int, "each", sequence of sequences or mapping
        How many groups, drawn at random, as equal in size as can be; "each": every
        attribute in a group of its own; or the names of the members of each group. Groups
        are named "group 1", "group 2" and so on, unless a mapping names them.
    class_in : {"group", "own", "clear"}
        Where the class, if there is one, is: in a group like any attribute; in a further
        group of its own, the last, named "class"; or in clear.
    clear : sequence of str
        Attributes that stay in clear.
    mechanism : {"warner", "unrelated-question"}
        What a group that is not told truly does: reverse every answer, or answer
        harmless questions, which works with any number of values and any coin.
    seed : int, optional
        Draws the same groups again. Without it they are drawn cryptographically.

    Examples
    --------
    >>> from scumble import Categorical, Specification
    >>> from scumble.mechanisms import grouped
    >>> answer = Categorical(["no", "yes"])
    >>> asked = Specification(dict.fromkeys(["smoker", "drinker", "ill"], answer))
    >>> grouped(asked, keep=[0.7, 0.9], groups=[["smoker", "drinker"], ["ill"]]).groups
    {'group 1': ['smoker', 'drinker'], 'group 2': ['ill']}
    >>> halves = grouped(asked, keep=0.7, groups=2, clear=["ill"], seed=1)
    >>> sorted(map(len, halves.groups.values())), halves["ill"].sensitivity
    ([1, 1], 'public')

    Notes
    -----
    The multi-group paper, with theta for `keep`: a coin per record and group; all members
    are told truly, or all are reversed. A group of two or more has no finite epsilon,
    whatever its coin (see `SharedCoin`): only "each" is locally private. `keep` may be 0
    or 1, for all lies and all truth, and then hides nothing at all.

    Which groups were drawn is part of the specification, and known to everyone.
    """
    if class_in not in get_args(ClassIn):
        raise SpecificationError(
            f"class_in: unknown {class_in!r}{suggestion(class_in, get_args(ClassIn))}"
        )
    if mechanism not in _MECHANISMS:
        raise SpecificationError(
            f"mechanism: unknown {mechanism!r}{suggestion(mechanism, _MECHANISMS)}"
        )
    names = _to_disguise(spec, class_in, clear)
    members = members_of(groups, names, seed=seed)
    if class_in == "own" and spec.class_attribute is not None:
        if CLASS_GROUP in members:
            raise SpecificationError(
                f"groups: expected no group named {CLASS_GROUP!r}, which is the class's own; "
                "choose another name"
            )
        members[CLASS_GROUP] = [spec.class_attribute]
    attributes = dict(spec.attributes)
    for group, coin in keep_of(keep, list(members)).items():
        disguise = _MECHANISMS[mechanism](keep=coin, group=group)
        for name in members[group]:
            attributes[name] = _disguised(name, attributes[name], disguise)
    return Specification(attributes, class_attribute=spec.class_attribute)


def _to_disguise(spec: Specification, class_in: ClassIn, clear: Sequence[str]) -> list[str]:
    """Return the attributes that belong into the groups."""
    if isinstance(clear, str):
        raise SpecificationError(f"clear: expected a list of names, got {clear!r}")
    for name, attribute in spec.attributes.items():
        if attribute.sensitivity == "private":
            raise SpecificationError(
                f"attributes.{name}.mechanism: expected none yet, got "
                f"{attribute.mechanism.name!r}; start from attributes in clear"  # type: ignore[union-attr]
            )
    for name in clear:
        if name not in spec.attributes:
            raise SpecificationError(
                f"clear: no attribute {name!r}{suggestion(name, spec.attributes)}"
            )
    target = spec.class_attribute
    if target is not None and class_in != "clear":
        if target not in spec.attributes:
            raise SpecificationError(
                f"class: expected {target!r} among the attributes, since it is disguised; declare "
                "it, or take class_in='clear'"
            )
        if spec[target].sensitivity == "withheld":
            raise SpecificationError(
                f"class: expected {target!r} in clear, since it is disguised, but it is withheld"
            )
        if target in clear:
            raise SpecificationError(f"clear: expected class_in='clear' for the class {target!r}")
    left_out = {*clear, target if class_in != "group" else None}
    return [
        name
        for name, attribute in spec.attributes.items()
        if name not in left_out and attribute.sensitivity == "public"
    ]


def _disguised(name: str, attribute: Attribute, mechanism: Warner | UnrelatedQuestion) -> Attribute:
    if isinstance(attribute, Text):
        raise SpecificationError(
            f"attributes.{name}: expected a categorical attribute, got a text one; declare it "
            "withheld, or name it in clear"
        )
    if isinstance(attribute, Numeric):
        raise SpecificationError(
            f"attributes.{name}: expected a categorical attribute, got a {attribute.kind} one; cut "
            "it by binary_specification, or name it in clear"
        )
    try:
        return with_mechanism(attribute, mechanism)
    except SpecificationError as error:
        raise error.within("attributes", name) from None
