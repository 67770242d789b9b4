"""Whose record is it, after noise on innocent attributes? Four intruders."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from scumble.audit import link_records
from scumble.experiments._ib_tables import IbTable
from scumble.mining import C45Classifier
from scumble.schema import Numeric
from scumble.treatments import ColumnTreatment, InnocentNoise


@dataclass(frozen=True)
class IbLinkage:
    """The share of the records that intruders find who know different things.

    Attributes
    ----------
    linked : float, optional
        Known are the total innocent attributes and the law of the noise.
    nearest : float, optional
        Known are the total innocent attributes; the nearest record is taken.
    linked_leaf : float, optional
        Known are all attributes that are innocent on the way to the leaf of the person, and
        the law of the noise: the intruder of the paper.
    nearest_all : float, optional
        Known are all attributes; the nearest record is taken.
    """

    linked: float | None = None
    nearest: float | None = None
    linked_leaf: float | None = None
    nearest_all: float | None = None


def ib_linkage(
    treatment: ColumnTreatment | None,
    original: C45Classifier,
    records: IbTable,
    released: IbTable,
    domains: Mapping[str, Numeric],
) -> IbLinkage:
    """Look for the records of a table in the released one.

    Parameters
    ----------
    treatment : ColumnTreatment, optional
        What was done; where total innocent attributes were not treated, nobody looks.
    original : C45Classifier
        The tree that guided it.
    records, released : IbTable
        The truth and what was released of it, in the same order.
    domains : mapping of str to Numeric
        The attributes that were released on declared steps.
    """
    scope = getattr(treatment, "scope", "leaf")
    if treatment is None or scope == "leaf":
        return IbLinkage()
    tree = original.tree_
    tested = {tree.names[place] for place in tree.tested}
    total = [name for name in records.attributes if name not in tested]
    both = (records.table, released.table)
    everything = link_records(*both, known=records.attributes).success if scope == "all" else None
    nearest = link_records(*both, known=total).success if total else None
    if not isinstance(treatment, InnocentNoise):
        return IbLinkage(nearest=nearest, nearest_all=everything)
    law: dict[str, Numeric | InnocentNoise] = dict.fromkeys(records.attributes, treatment)
    law |= {name: replace(domain, treatment=treatment) for name, domain in domains.items()}
    linked = link_records(*both, known=total, noise=law).success if total else None
    by_leaf = _by_leaf(law, original, records, released) if scope == "all" else None
    return IbLinkage(linked, nearest, by_leaf, everything)


def _by_leaf(
    law: Mapping[str, Numeric | InnocentNoise],
    original: C45Classifier,
    records: IbTable,
    released: IbTable,
) -> float:
    """Return the share that is found by all that is innocent for each person."""
    leaves = np.asarray(original.apply(records.X))
    tree, found = original.tree_, 0.0
    for leaf in np.unique(leaves).tolist():
        tested = {tree.names[tree.attribute[node]] for node in tree.path(leaf)[:-1]}
        known = [name for name in records.attributes if name not in tested]
        persons = leaves == leaf
        if known:
            result = link_records(
                records.table,
                released.table,
                known=known,
                noise={name: law[name] for name in known},
                # Those of other leaves are not looked for, but may be named.
                alignment=np.where(persons, np.arange(len(records)), -1),
            )
            found += result.success * np.count_nonzero(persons)
    return float(found / len(records))
