"""The attacks that an audit mounts: those that fit what is disguised."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from scumble.audit._attack import AttackResult
from scumble.audit._bayes_estimate import bayes_estimate
from scumble.audit._best_guess import best_guess
from scumble.audit._coins import coin_inference
from scumble.audit._linkage import link_records
from scumble.audit._named_columns import named_columns
from scumble.audit._population_guess import population_guess
from scumble.audit._spectral import spectral_filter
from scumble.mechanisms._additive import AdditiveNoise
from scumble.schema import Categorical, Specification
from scumble.treatments._together import telling_names

_RECORDS, _SOUGHT = 5000, 1000


@dataclass(frozen=True, eq=False)
class Mounted:
    """The results of attacks.

    Attributes
    ----------
    by_attribute : dict of str to tuple of AttackResult
        Those on one attribute.
    together : tuple of AttackResult
        Those on whole records, or on all attributes.
    """

    by_attribute: dict[str, tuple[AttackResult, ...]]
    together: tuple[AttackResult, ...]


def mounted_attacks(truth: Any, reports: Any, spec: Specification, *, seed: int | None) -> Mounted:
    """Mount every attack that fits.

    Parameters
    ----------
    truth, reports : DataFrame or array
        The auditor's sample and its reports, in the same order.
    spec : Specification
        What disguised them.
    seed : int, optional
        Which records are attacked.
    """
    found: list[AttackResult] = []
    found += best_guess(truth, reports, spec, records=_RECORDS, seed=seed)
    noisy = [a for a in spec.attributes.values() if isinstance(a.mechanism, AdditiveNoise)]
    if len(noisy) > 1:
        found += spectral_filter(truth, reports, spec, records=_RECORDS, seed=seed)
        found += bayes_estimate(truth, reports, spec, records=_RECORDS, seed=seed)
    disguised = [a for a in spec.attributes.values() if a.mechanism is not None]
    if len(spec) > 1:
        found += population_guess(truth, reports, spec, records=_RECORDS, seed=seed)
    if len(disguised) > 1 and all(isinstance(own, Categorical) for own in disguised):
        found.append(coin_inference(truth, reports, spec, seed=seed))
    return _sorted([*found, *_linkage(truth, reports, spec, seed)])


def _linkage(
    truth: Any, reports: Any, spec: Specification, seed: int | None
) -> Iterator[AttackResult]:
    """Yield how many records are found by what is disguised, and by what is told in clear too."""
    disguised = [name for name, own in spec.attributes.items() if own.mechanism is not None]
    # Those in clear first: they leave few records to be weighed. The class is what is sought.
    clear = telling_names(spec)
    for known in (disguised, [*clear, *disguised]) if clear else (disguised,):
        both = [named_columns(table, spec, known) for table in (truth, reports)]
        found = link_records(*both, known=known, noise=spec, records=_SOUGHT, seed=seed)
        beside = "" if known is disguised else ", and in clear"
        yield replace(found, attack=found.attack + beside)


def _sorted(found: Iterable[AttackResult]) -> Mounted:
    by_attribute: dict[str, tuple[AttackResult, ...]] = {}
    together = []
    for attack in found:
        if attack.attribute is None:
            together.append(attack)
        else:
            own = by_attribute.get(attack.attribute, ())
            by_attribute[attack.attribute] = (*own, attack)
    return Mounted(by_attribute, tuple(together))
