"""Noise of few factors: a released number that is an exact multiple gives its owner away."""

from collections.abc import Sequence
from typing import Any

from scumble.audit._attack import AttackResult
from scumble.audit._laws import Lattice
from scumble.audit._linkage import link_records


def lattice_attack(
    truth: Any,
    released: Any,
    *,
    known: Sequence[str],
    lattice: Lattice | None = None,
    alignment: Any = None,
    records: int = 2_000,
    seed: int | None = None,
) -> AttackResult:
    """Look for records whose numbers are exact multiples of what is known of a person.

    Parameters
    ----------
    lattice : Lattice, optional
        Which factors are possible; by default those of the discrete law of `InnocentNoise`.
    truth, released, known, alignment, records, seed
        As for `link_records`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from scumble.audit import lattice_attack
    >>> truth = pa.table({"rooms": [6.575, 6.421, 7.185]})
    >>> released = pa.table({"rooms": [6.575 * 1.3, 6.421 * 0.8, 7.185 * 1.1]})
    >>> lattice_attack(truth, released, known=["rooms"]).success
    1.0

    Notes
    -----
    The intruder needs no probabilities: with enough digits, hardly any other record fits.
    One of those that fit in all known attributes is drawn.
    """
    law = lattice or Lattice()
    return link_records(
        truth,
        released,
        known=known,
        noise=dict.fromkeys(known, law),
        alignment=alignment,
        records=records,
        seed=seed,
    )
