import math

import numpy as np
import pytest

from scumble.experiments import (
    NOISES,
    SHAPES,
    StudyRow,
    distance_by_case,
    mean_ratio,
    reconstruction_study,
)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_a_quantile_function_on_the_unit_interval(name):
    values = SHAPES[name]((np.arange(1000) + 0.5) / 1000)

    assert (np.diff(values) >= 0).all()
    assert 0 <= values[0] <= values[-1] <= 1


def test_rows_tell_case_method_distance_and_coverage():
    rows = list(
        reconstruction_study(
            shapes={"uniform": SHAPES["uniform"]},
            noises={"uniform 50%": NOISES["uniform 50%"]},
            sizes=[1000],
            seeds=[1, 2],
        )
    )

    assert [(row.seed, row.method) for row in rows] == [
        (seed, method) for seed in (1, 2) for method in ("auto", "bayes", "ems")
    ]
    assert all(0 <= row.distance < 0.2 for row in rows)
    assert [math.isnan(row.covered) for row in rows] == [False, True, True] * 2
    assert all(0.5 < row.covered_shares <= 1 for row in rows if row.method == "auto")


def test_seeds_are_averaged_and_cases_compared_by_ratio():
    rows = [
        StudyRow("s", "n", 10, seed, method, distance, math.nan, math.nan)
        for method, distances in {"auto": (1.0, 3.0), "bayes": (4.0, 4.0)}.items()
        for seed, distance in enumerate(distances)
    ]

    assert distance_by_case(rows, "auto") == {("s", "n", 10): 2.0}
    assert mean_ratio(rows, "auto", "bayes") == pytest.approx(0.5)
