import numpy as np
import pytest

from scumble import Categorical, Numeric
from scumble.engines import Rows
from scumble.entropy import Seeded
from scumble.errors import DomainError
from scumble.mechanisms import (
    GaussianNoise,
    RandomizedResponse,
    UniformNoise,
    ValueClasses,
    Warner,
)
from scumble.mining._reports import Reports
from scumble.reconstruction import Bayes, Penalised
from scumble.schema import own_mechanism

AGE = Numeric(20, 80, mechanism=GaussianNoise(privacy=0.5))


def _reports_of(attribute, truth, *, seed=1):
    mechanism = own_mechanism(attribute)
    return mechanism.disguise(truth, attribute, Seeded(seed).stream("x"))


def _associated(reports, fine, labels, *, classes=1, cells=None):
    """Return the cell that each report is associated with."""
    rows = Rows(fine[:, None].copy(), labels, sizes=[len(reports.fine) + 1], classes=classes)
    codes = np.empty((len(fine), 1), dtype=np.uint16)
    reports.associate(rows, np.array([0]), column=0, codes=codes, place=0, cells=cells)
    return codes[:, 0]


def _ages(n=20_000):
    return 20 + 60 * np.random.default_rng(1).beta(2, 5, n)


def test_fine_cells_make_up_the_report_cells():
    reports = Reports(AGE, cells=100, method=Bayes())
    values = _reports_of(AGE, _ages())

    fine = np.bincount(reports.codes(values), minlength=len(reports.fine) + 1)[1:]

    counted = np.add.reduceat(fine, reports.starts)
    plain = np.bincount(reports.channel.report.codes(values), minlength=len(counted))
    assert (counted == plain).all()
    assert len(reports.fine) > 2000


@pytest.mark.parametrize(
    "mechanism", [GaussianNoise(privacy=0.5), UniformNoise(privacy=2.0), ValueClasses(count=7)]
)
def test_codes_are_the_cells_that_a_search_finds(mechanism):
    attribute = Numeric(20, 80, mechanism=mechanism)
    reports = Reports(attribute, cells=100, method=Bayes())
    values = _reports_of(attribute, _ages())
    values[::100] = np.nan

    assert (reports.codes(values) == reports.fine.codes(values) + 1).all()


def test_reports_are_assigned_in_their_order_as_many_as_were_reconstructed():
    reports = Reports(AGE, cells=50, method=Bayes())
    values = _reports_of(AGE, _ages())
    fine = reports.codes(values)

    cells = _associated(reports, fine, np.zeros(len(fine), dtype=np.uint16))

    # The slow way, as published: reconstruct, sort, and give each cell its number.
    counts = np.bincount(reports.channel.report.codes(values), minlength=len(reports.starts))
    shares = Bayes().fit(counts.astype(float), reports.channel).shares
    ends = np.cumsum(shares) * len(values)
    ranks = np.empty(len(values))
    ranks[np.argsort(values, kind="stable")] = np.arange(len(values)) + 0.5
    sorted_and_assigned = 1 + np.searchsorted(ends[:-1], ranks, side="right")
    assert (np.diff(cells[np.argsort(values, kind="stable")].astype(int)) >= 0).all()
    assert np.abs(cells.astype(int) - sorted_and_assigned).max() <= 1
    # A fine cell that lies across two cells goes to one of them as a whole.
    assert np.mean(cells != sorted_and_assigned) < 0.02


def test_each_class_is_assigned_by_its_own_distribution():
    reports = Reports(AGE, cells=50, method=Bayes())
    young, old = 20 + 20 * np.random.default_rng(1).random((2, 10_000))
    old += 40
    values = _reports_of(AGE, np.concatenate((young, old)))
    labels = np.repeat(np.array([0, 1], dtype=np.uint16), 10_000)
    fine = reports.codes(values)

    cells = _associated(reports, fine, labels, classes=2)

    pooled = _associated(reports, fine, np.zeros_like(labels))
    between = (cells > 20) & (cells <= 30)
    assert np.mean(between) < 0.1
    assert np.mean(pooled[np.argsort(fine)] == np.sort(pooled)) > 0.99
    assert cells[labels == 0].mean() < 12
    assert cells[labels == 1].mean() > 38


def test_a_missing_report_stays_missing():
    reports = Reports(AGE, cells=50, method=Bayes())
    values = _reports_of(AGE, _ages(1000))
    values[::7] = np.nan
    fine = reports.codes(values)

    cells = _associated(reports, fine, np.zeros(1000, dtype=np.uint16))

    assert ((cells == 0) == np.isnan(values)).all()


def test_reports_that_are_all_missing_are_associated_with_nothing():
    reports = Reports(AGE, cells=50, method=Bayes())
    fine = reports.codes(np.full(10, np.nan))

    assert (_associated(reports, fine, np.zeros(10, dtype=np.uint16)) == 0).all()


def test_as_many_categories_as_reconstructed_and_as_few_moved_as_can_be():
    attribute = Categorical(list("abcd"), mechanism=RandomizedResponse(keep=0.6))
    truth = np.random.default_rng(1).choice(4, 50_000, p=[0.7, 0.2, 0.1, 0.0]).astype(np.int32)
    codes = _reports_of(attribute, truth)
    reports = Reports(attribute, cells=0, method=Bayes())
    fine = reports.codes(attribute.decode(codes))

    cells = _associated(reports, fine, np.zeros(50_000, dtype=np.uint16))

    shares = np.bincount(cells, minlength=5)[1:] / 50_000
    assert shares == pytest.approx([0.7, 0.2, 0.1, 0], abs=0.01)
    reported = np.bincount(codes, minlength=4) / 50_000
    needed = np.maximum(reported - shares, 0).sum()
    assert np.mean(cells != codes + 1) == pytest.approx(needed, abs=0.01)


def test_which_reports_are_moved_does_not_depend_on_what_else_they_say():
    attribute = Categorical(["no", "yes"], mechanism=Warner(keep=0.7))
    truth = (np.random.default_rng(1).random(40_000) < 0.1).astype(np.int32)
    codes = _reports_of(attribute, truth)
    reports = Reports(attribute, cells=0, method=Bayes())
    fine = reports.codes(attribute.decode(codes))

    moved = _associated(reports, fine, np.zeros(40_000, dtype=np.uint16)) != fine

    # Error rate 1e-6: 4.9 standard errors, of all moved ones in the first half and among odd rows.
    for half in (np.arange(40_000) < 20_000, np.arange(40_000) % 2 == 1):
        share = moved[half].sum() / moved.sum()
        assert abs(share - 0.5) < 4.9 * 0.5 / np.sqrt(moved.sum())


def test_fewer_cells_are_reconstructed_and_shared_out_evenly():
    reports = Reports(AGE, cells=100, method=Bayes())
    values = _reports_of(AGE, _ages())
    fine = reports.codes(values)

    cells = _associated(reports, fine, np.zeros(len(fine), dtype=np.uint16), cells=10)

    counts = np.bincount(cells, minlength=101)[1:].reshape(10, 10)
    assert counts.std(axis=1).max() < 15 + 0.05 * counts.mean()


def test_any_method_of_reconstruction_serves():
    reports = Reports(AGE, cells=50, method=Penalised())
    values = _reports_of(AGE, _ages())
    fine = reports.codes(values)

    cells = _associated(reports, fine, np.zeros(len(fine), dtype=np.uint16))

    true = np.bincount(np.minimum(((_ages() - 20) / 1.2).astype(int), 49), minlength=50)
    assert np.abs(np.cumsum(np.bincount(cells, minlength=51)[1:] - true)).max() < 0.03 * len(fine)


def test_reports_that_the_mechanism_cannot_make_are_refused_and_not_shown():
    attribute = Numeric(20, 80, mechanism=UniformNoise(privacy=0.5))

    with pytest.raises(DomainError, match="1 of 2 values lie outside"):
        Reports(attribute, cells=50, method=Bayes()).codes(np.array([50.0, 4711.0]))
    with pytest.raises(DomainError, match="1 of 2 reports are of no kind"):
        Reports(Numeric(20, 80, mechanism=ValueClasses(count=3)), cells=50, method=Bayes()).codes(
            np.array([30.0, 31.0])
        )
