import math

import pytest

from scumble.experiments import (
    GENERALITY_METHODS,
    GeneralityRow,
    generality_regrets,
    generality_table,
)


def _row(method, accuracy, *, case="votes", seed=1):
    return GeneralityRow(case, 290, seed, method, accuracy, 0.6, 0.05, 12, 1.25)


def test_the_rival_is_the_best_on_average_and_the_regret_is_taken_seed_by_seed():
    rows = [_row("likelihood", a, seed=s) for s, a in [(1, 0.90), (2, 0.94)]]
    rows += [_row("byclass", a, seed=s) for s, a in [(1, 0.91), (2, 0.97)]]
    rows += [_row("local", a, seed=s) for s, a in [(1, 0.95), (2, 0.90)]]
    (regret,) = generality_regrets(rows)

    assert regret.rival == "byclass"
    assert regret.points == pytest.approx(2)
    assert regret.error == pytest.approx(1)
    assert not regret.holds


def test_a_single_seed_has_no_error_and_a_point_is_allowed():
    (regret,) = generality_regrets([_row("likelihood", 0.90), _row("uncorrected", 0.905)])

    assert math.isnan(regret.error)
    assert regret.holds


def test_a_case_without_the_method_or_without_a_rival_has_no_regret():
    rows = [_row("byclass", 0.9), _row("likelihood", 0.9, case="pima"), _row("clear", 0.9)]

    assert generality_regrets(rows) == []
    assert "regret of" not in generality_table(rows)


def test_another_method_may_be_judged():
    rows = [_row("byclass", 0.9), _row("local", 0.93)]
    (regret,) = generality_regrets(rows, method="local", rivals=["byclass"])

    assert regret.points == pytest.approx(-3)


def test_the_table_fits_80_columns_and_leaves_gaps_where_a_method_was_not_tried():
    rows = [_row(method, 0.9) for method in GENERALITY_METHODS]
    rows += [_row("likelihood", 0.9, case="n = 1000, diagonal")]
    lines = generality_table(rows).splitlines()

    assert all(len(line) <= 80 for line in lines)
    assert lines[2].split() == ["n", "=", "1000,", "diagonal", "60.0", "90.0"]
    assert lines[-1].endswith("above 1 point in 0 of 1 cases, mean 0.0, worst 0.0 (votes)")


@pytest.mark.parametrize(
    ("measure", "shown"), [("calibration", "5.0"), ("leaves", "12"), ("seconds", "1.2")]
)
def test_other_measures_stand_alone(measure, shown):
    heading, line = generality_table([_row("local", 0.9)], measure=measure).splitlines()

    assert heading.split() == ["case", "local"]
    assert line.split() == ["votes", shown]
