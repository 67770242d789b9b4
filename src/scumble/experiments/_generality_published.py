"""Cases made of published tables, disguised at moderate noise."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from scumble.datasets import (
    ADULT_CATEGORY_ORDER,
    load_adult,
    load_breast_cancer_wisconsin,
    load_house_votes,
    load_pima,
)
from scumble.experiments._generality_case import GeneralityCase, Truths
from scumble.mechanisms import GaussianNoise, RandomizedResponse, UniformNoise, Warner
from scumble.schema import Attribute, Categorical, Numeric, Specification

_NOISE = GaussianNoise(privacy=0.5)
_RESPONSE = RandomizedResponse(keep=0.7)


def published_cases() -> list[GeneralityCase]:
    """Return the cases; a third of a small table is left for the test.

    Examples
    --------
    >>> [case.name for case in published_cases()]
    ['adult', 'pima', 'breast cancer', 'votes']
    """
    return [
        _published("adult", load_adult, _adult(), n=20_000),
        _published("pima", load_pima, _pima(), n=512),
        _published("breast cancer", load_breast_cancer_wisconsin, _breast_cancer(), n=466),
        _published("votes", load_house_votes, _votes(), n=290),
    ]


def _published(
    name: str,
    load: Callable[[], tuple[Any, Any]],
    attributes: Mapping[str, Attribute],
    *,
    n: int,
) -> GeneralityCase:
    spec = Specification(attributes, class_attribute="class")
    return GeneralityCase(name, "real records", partial(_drawn, load=load, spec=spec), n)


def _drawn(
    n: int, seed: int, *, load: Callable[[], tuple[Any, Any]], spec: Specification
) -> Truths:
    """Return n records in random order, or all where there are fewer."""
    X, y = load()
    kept = np.random.default_rng(seed).permutation(len(y))[:n]
    return Truths(X.select(list(spec)).take(kept), y[kept], spec)


def _adult() -> dict[str, Attribute]:
    numbers = {
        "age": Numeric(17, 90, step=1, mechanism=_NOISE),
        "education_num": Numeric(1, 16, step=1, mechanism=_NOISE),
        "capital_gain": Numeric(0, 99_999, atoms=(0.0,), mechanism=_NOISE),
        "capital_loss": Numeric(0, 4_356, atoms=(0.0,), mechanism=_NOISE),
        "hours_per_week": Numeric(1, 99, step=1, mechanism=_NOISE),
    }
    names = ("workclass", "education", "marital_status", "occupation", "relationship", "sex")
    categories = {
        name: Categorical(ADULT_CATEGORY_ORDER[name], mechanism=_RESPONSE) for name in names
    }
    return {**numbers, **categories}


def _pima() -> dict[str, Attribute]:
    highest = {
        "pregnancies": 17.0,
        "glucose": 200.0,
        "blood_pressure": 130.0,
        "skin_thickness": 100.0,
        "insulin": 850.0,
        "bmi": 70.0,
        "pedigree": 2.5,
        "age": 90.0,
    }
    noise = UniformNoise(privacy=0.5)
    return {name: Numeric(0, high, mechanism=noise) for name, high in highest.items()}


def _breast_cancer() -> dict[str, Attribute]:
    names = (
        "clump_thickness",
        "uniformity_of_cell_size",
        "uniformity_of_cell_shape",
        "marginal_adhesion",
        "single_epithelial_cell_size",
        "bare_nuclei",
        "bland_chromatin",
        "normal_nucleoli",
        "mitoses",
    )
    return {name: Numeric(1, 10, step=1, mechanism=_NOISE) for name in names}


def _votes() -> dict[str, Attribute]:
    names = (
        "handicapped_infants",
        "water_project_cost_sharing",
        "adoption_of_the_budget_resolution",
        "physician_fee_freeze",
        "el_salvador_aid",
        "religious_groups_in_schools",
        "anti_satellite_test_ban",
        "aid_to_nicaraguan_contras",
        "mx_missile",
        "immigration",
        "synfuels_corporation_cutback",
        "education_spending",
        "superfund_right_to_sue",
        "crime",
        "duty_free_exports",
        "export_administration_act_south_africa",
    )
    return {name: Categorical(("n", "y"), mechanism=Warner(keep=0.8)) for name in names}
