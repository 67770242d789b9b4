"""Truths to experiment on: generators, test shapes and published data sets.

Generated tables come from `make_quest` and the two shapes of `PiecewiseLinear`.
Published ones are read from a directory of the user's or fetched once; no data file
is part of the package.
"""

from scumble.datasets._adult import ADULT_CATEGORY_ORDER
from scumble.datasets._listing import DatasetState, dataset_states
from scumble.datasets._loaders import (
    load_adult,
    load_boston,
    load_breast_cancer_wisconsin,
    load_house_votes,
    load_pima,
)
from scumble.datasets._quest import make_quest
from scumble.datasets._quest_attributes import QUEST_DOMAINS, quest_specification
from scumble.datasets._quest_groups import quest_group
from scumble.datasets._shapes import (
    PLATEAU,
    TRIANGLES,
    PiecewiseLinear,
    make_plateau,
    make_triangles,
)

__all__ = [
    "ADULT_CATEGORY_ORDER",
    "DatasetState",
    "PLATEAU",
    "QUEST_DOMAINS",
    "TRIANGLES",
    "PiecewiseLinear",
    "dataset_states",
    "load_adult",
    "load_boston",
    "load_breast_cancer_wisconsin",
    "load_house_votes",
    "load_pima",
    "make_plateau",
    "make_quest",
    "make_triangles",
    "quest_group",
    "quest_specification",
]
