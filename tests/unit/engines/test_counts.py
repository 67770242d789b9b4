import numpy as np
import pytest

from scumble import Categorical, Numeric
from scumble.engines import count_codes, count_reports
from scumble.errors import DomainError
from scumble.schema import Cells


def test_missing_codes_are_counted_apart():
    counts = count_codes(np.array([0, 2, -1, 2], dtype=np.int32), size=4)

    assert counts.cells.tolist() == [1, 0, 2, 0]
    assert (counts.missing, counts.total) == (1, 3)


def test_counts_of_parts_add_up_to_the_counts_of_the_whole():
    codes = np.random.default_rng(0).integers(-1, 5, 1000).astype(np.int32)

    whole = count_codes(codes, size=5)
    parts = count_codes(codes[:300], size=5) + count_codes(codes[300:], size=5)

    assert np.array_equal(whole.cells, parts.cells)
    assert whole.missing == parts.missing


def test_reports_that_no_cell_holds_are_an_error_and_missing_ones_are_not():
    cells = Cells.points([25, 40])

    counts = count_reports([25, np.nan, 40], domain=Numeric(20, 80), cells=cells)
    assert (counts.cells.tolist(), counts.missing) == ([1, 1], 1)
    with pytest.raises(DomainError, match="1 of 2 reports are of no kind"):
        count_reports([25, 26], domain=Numeric(20, 80), cells=cells)


def test_categories_are_counted():
    domain = Categorical(["no", "yes"])

    counts = count_reports(["yes", None, "yes"], domain=domain, cells=domain)

    assert (counts.cells.tolist(), counts.missing) == ([0, 2], 1)
