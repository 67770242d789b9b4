"""Choosing a level for all attributes at once: until few records can be linked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scumble._disguise import disguise
from scumble.audit._frontier import scaled_noise
from scumble.audit._linkage import link_records
from scumble.audit._named_columns import named_columns
from scumble.audit._plain import plain
from scumble.errors import SpecificationError
from scumble.schema import Specification
from scumble.schema._parameters import share
from scumble.wording import amount, percent

FACTORS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0)


@dataclass(frozen=True, kw_only=True)
class NoiseChoice:
    """How much noise it takes for few records to be linked.

    Attributes
    ----------
    spec : Specification
        The specification with that much noise; the same one where none is enough.
    factor : float or None
        What the noise was multiplied by.
    before, after : float
        The share of records that are linked, as it is now and with that noise.
    met : bool
        Whether the wish is fulfilled.
    advice : str
        What to do, in a sentence.
    """

    spec: Specification
    factor: float | None
    before: float
    after: float
    met: bool
    advice: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON."""
        return {
            "specification": self.spec.to_dict(),
            "factor": plain(self.factor),
            "before": self.before,
            "after": self.after,
            "met": self.met,
            "advice": self.advice,
        }


def choose_noise(
    spec: Specification,
    truth: Any,
    *,
    linked: float = 0.05,
    known: Sequence[str] | None = None,
    records: int = 1000,
    seed: int | None = None,
) -> NoiseChoice:
    """Find how much the noise of all attributes must grow for few records to be linked.

    Parameters
    ----------
    spec : Specification
        What is declared now.
    truth : DataFrame or array
        The auditor's sample of truths.
    linked : float
        The greatest share of records that an intruder may find.
    known : sequence of str, optional
        The attributes whose true values the intruder knows; by default all that are
        disguised.
    records : int
        How many records are sought.
    seed : int, optional
        Makes it repeatable.

    Examples
    --------
    >>> import numpy as np
    >>> from scumble import Numeric, Specification
    >>> from scumble.audit import choose_noise
    >>> from scumble.mechanisms import GaussianNoise
    >>> own = Numeric(0, 1, mechanism=GaussianNoise(privacy=0.05))
    >>> spec = Specification({"a": own, "b": own, "c": own})
    >>> found = choose_noise(spec, np.random.default_rng(0).random((500, 3)), seed=1)
    >>> found.met, found.before > 0.5, found.after <= 0.05
    (True, True, True)
    """
    limit = share("linked", linked)
    disguised = [name for name in spec if spec[name].mechanism is not None]
    if not disguised:
        raise SpecificationError("spec: expected an attribute with noise, whose level to choose")
    names = list(disguised if known is None else known)

    def measured(candidate: Specification) -> float:
        reports = disguise(truth, candidate, seed=seed)
        both = [named_columns(table, candidate, names) for table in (truth, reports)]
        return link_records(*both, known=names, noise=candidate, records=records, seed=seed).success

    before = measured(spec)
    for factor in FACTORS:
        candidate = spec if factor == 1 else scaled_noise(spec, factor=factor)
        after = before if factor == 1 else measured(candidate)
        if after <= limit:
            advice = _advice(factor, after, limit)
            return NoiseChoice(
                spec=candidate,
                factor=factor,
                before=before,
                after=after,
                met=True,
                advice=advice,
            )
    return NoiseChoice(
        spec=spec,
        factor=None,
        before=before,
        after=before,
        met=False,
        advice=f"No noise of this kind keeps linkage under {percent(limit)}: withhold attributes.",
    )


def _advice(factor: float, after: float, limit: float) -> str:
    if factor == 1:
        return f"The noise is enough: {percent(after)} of the records are linked."
    verb = "Multiply" if factor > 1 else "It is enough to multiply"
    return f"{verb} the noise by {amount(factor)} to keep linkage under {percent(limit)}."
