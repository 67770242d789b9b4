"""The Quest generator of synthetic persons and their credit groups."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.datasets._frames import checked_backend, frame_from_columns
from scumble.datasets._quest_attributes import attributes_from_scores
from scumble.datasets._quest_balance import Records, draw_balanced
from scumble.datasets._quest_groups import checked_function, in_group_a
from scumble.datasets._quest_scores import LAWS, draw_scores
from scumble.datasets._random import checked_count, generator_from
from scumble.errors import SpecificationError


def make_quest(
    function: int = 1,
    *,
    n: int = 10_000,
    seed: int | None = None,
    balanced: bool = True,
    attributes: str = "uniform",
    backend: str = "pyarrow",
) -> tuple[Any, NDArray[np.str_]]:
    """Generate persons with nine attributes, and the group a function puts them in.

    Parameters
    ----------
    function : int, default 1
        Which of the ten functions defines group A; see `quest_group`.
    n : int, default 10_000
        Number of records.
    seed : int, optional
        Makes the table repeatable. The records are generated truths, not a
        disguise, so an ordinary generator is used.
    balanced : bool, default True
        Whether both groups get equally many records (A one more if `n` is odd).
        Otherwise the groups come as frequent as the attributes make them.
    attributes : {"uniform", "skewed", "dependent"}, default "uniform"
        The law of the attributes; see Notes.
    backend : str, default "pyarrow"
        The kind of table returned: "pyarrow", "pandas" or "polars".

    Returns
    -------
    X : table
        Columns salary, commission, age, elevel, car, zipcode, hvalue, hyears, loan;
        elevel, car and zipcode are integers. `QUEST_DOMAINS` declares the domains.
    y : array of str
        "A" or "B".

    Raises
    ------
    SpecificationError
        If an argument is not valid.
    DatasetError
        If a group is too rare to be balanced, or the back end is not installed.

    Examples
    --------
    >>> from scumble.datasets import make_quest
    >>> X, y = make_quest(2, n=1000, seed=0)
    >>> X.num_rows, X.column_names[:3]
    (1000, ['salary', 'commission', 'age'])
    >>> int((y == "A").sum())
    500

    Notes
    -----
    ``uniform`` is the published generator (Agrawal, Ghosh, Imielinski, Iyer, Swami
    1992; Agrawal and Srikant 2000, Table 2). Commission is 0 from a salary of 75,000
    up. House value is uniform on 0.5 to 1.5 times 100,000 k, where k is the zip code,
    1 to 9. Age and years of ownership are continuous: the description speaks of
    uniformly *distributed* values there, and of uniformly *chosen* ones where it
    means integers. (Some later generators draw integers.)

    ``skewed`` gives every attribute a Beta-shaped law on the same range, integers
    included. ``dependent`` keeps the marginal laws of ``uniform`` and ties the
    attributes by a Gaussian copula: correlation 0.5 of salary with education, 0.4 with
    age, with zip code and with loan, 0.3 with car; 0.3 of loan with zip code and with
    the house's value within its zip code; 0.5 of age with years of
    ownership. All of this holds before balancing: balancing on a group changes the
    joint law, and so the marginal laws of the attributes that define it.
    """
    checked_function(function)
    checked_count(n)
    checked_backend(backend)
    if attributes not in LAWS:
        raise SpecificationError(
            f"attributes: expected one of {', '.join(LAWS)}, got {attributes!r}; choose one"
        )
    rng = generator_from(seed)

    def draw(size: int) -> Records:
        return attributes_from_scores(draw_scores(attributes, n=size, rng=rng))

    def in_a(records: Records) -> NDArray[np.bool_]:
        return in_group_a(records, function=function)

    if balanced:
        records, flags = draw_balanced(draw, in_group_a=in_a, n=n, rng=rng)
    else:
        records = draw(n)
        flags = in_a(records)
    return frame_from_columns(records, backend=backend), np.where(flags, "A", "B")
