import numpy as np
import pytest

from scumble import Categorical
from scumble.mining._cuts import cuts_of_values
from scumble.mining._error_based import ErrorBased, TrainingRows, collapsed, error_limit
from scumble.mining._nodes import Nodes

NUMBER = cuts_of_values(np.arange(4.0))
LETTER = Categorical(["a", "b", "c"])


@pytest.mark.parametrize(
    ("errors", "records", "limit"),
    [(0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750), (1, 16, 0.157)],
)
def test_limits_are_those_of_quinlan(errors, records, limit):
    # With errors, J48 takes the normal law for the binomial one.
    assert error_limit(errors, records) == pytest.approx(limit, abs=5e-4 if errors == 0 else 3e-3)


def test_the_limit_is_exact_without_errors():
    for records in (1, 7, 300):
        for confidence in (0.05, 0.25, 0.5):
            limit = error_limit(0, records, confidence=confidence)
            assert (1 - limit) ** records == pytest.approx(confidence)


def test_the_limit_with_errors_is_near_that_of_the_binomial():
    from scipy.stats import beta

    for records, errors in ((20, 1), (50, 10), (400, 60), (400, 390)):
        exact = beta.ppf(0.75, errors + 1, records - errors)
        assert error_limit(errors, records) == pytest.approx(exact, abs=0.01)


def test_more_errors_never_lower_the_limit_even_parts_of_an_error():
    errors = np.linspace(0, 12, 481)

    limits = [error_limit(e, 12) for e in errors]

    assert (np.diff(limits) >= -1e-12).all()
    assert limits[-1] == 1


def _nodes(tree, codes, labels, weights=None):
    """Return a tree of (attribute, ways, last cell on the left) and leaves (None), with counts."""
    attribute = np.array([-1 if node is None else node[0] for node in tree])
    ways = np.array([0 if node is None else node[1] for node in tree])
    child = np.where(ways > 0, 1 + np.cumsum(ways) - ways, -1)
    branch = np.tile(np.array([-1, 0, 1, 2, 0], dtype=np.int16), (len(tree), 1))
    last = np.array([0 if node is None else node[2] for node in tree])
    counts = np.zeros((len(tree), 2))
    for row, label in zip(codes, labels, strict=True):
        node = 0
        counts[node, label] += 1
        while attribute[node] >= 0:
            cell = row[attribute[node]]
            way = cell - 1 if last[node] == 0 else int(cell > last[node])
            node = child[node] + way
            counts[node, label] += 1
    return Nodes(attribute, child, ways, branch, np.column_stack((last, last + 1)), counts)


def _rows(groups):
    """Return records, as many of each (cells, class) as told."""
    codes = np.array([cells for cells, _, n in groups for _ in range(n)], dtype=np.uint16)
    labels = np.array([label for _, label, n in groups for _ in range(n)], dtype=np.uint16)
    return TrainingRows(codes, labels, np.ones(len(labels)))


# The first attribute says nothing; the second one everything, behind its larger branch.
SMALL_BRANCH = _rows(
    [((1, 1), 0, 10), ((1, 2), 1, 10), ((3, 1), 0, 2), ((3, 2), 1, 2)],
)
ABOVE = [(0, 2, 1), (1, 3, 0), None, None, None, None]


def test_the_largest_branch_is_raised_where_it_answers_better_for_all_records():
    nodes = _nodes(ABOVE, *SMALL_BRANCH[:2])

    raised = ErrorBased(records=SMALL_BRANCH).prune(nodes, [NUMBER, LETTER])

    assert raised.attribute.tolist() == [1, -1, -1, -1]
    assert raised.ways.tolist() == [3, 0, 0, 0]
    assert raised.counts.tolist() == [[12, 12], [12, 0], [0, 12], [0, 0]]


def test_without_records_nothing_is_raised():
    nodes = _nodes(ABOVE, *SMALL_BRANCH[:2])

    pruned = ErrorBased().prune(nodes, [NUMBER, LETTER])

    assert pruned.attribute.tolist() == nodes.attribute.tolist()


def test_what_is_raised_gets_records_with_missing_values_in_parts():
    rows = _rows([((1, 1), 0, 10), ((1, 2), 1, 10), ((3, 1), 0, 2), ((3, 0), 1, 2)])
    nodes = _nodes(ABOVE, SMALL_BRANCH.codes, SMALL_BRANCH.labels)

    raised = ErrorBased(records=rows).prune(nodes, [NUMBER, LETTER])

    assert raised.attribute.tolist() == [1, -1, -1, -1]
    shares = np.array([12, 10]) / 22
    assert raised.counts[1:3, 1] == pytest.approx([2 * shares[0], 10 + 2 * shares[1]])


def test_a_number_is_parted_where_the_tree_will_part_it_also_for_records_of_another_branch():
    # In its own branch the second attribute is cut between the values 0 and 3, so after 1.
    groups = [((1, 1), 0, 10), ((1, 4), 1, 10), ((3, 2), 0, 2), ((3, 3), 1, 2)]
    rows = _rows(groups)
    nodes = _nodes([(0, 2, 1), (1, 2, 1), None, None, None], *rows[:2])
    nodes.ends[1] = [1, 4]

    raised = ErrorBased(records=rows).prune(nodes, [NUMBER, NUMBER])

    assert raised.counts.tolist() == [[12, 12], [12, 0], [0, 12]]


def test_a_split_that_answers_nothing_new_is_collapsed_and_others_stay():
    useless = _nodes([(1, 3, 0), None, None, None], *_rows([((1, 1), 0, 9), ((1, 2), 0, 5)])[:2])
    useful = _nodes([(1, 3, 0), None, None, None], *_rows([((1, 1), 0, 9), ((1, 2), 1, 5)])[:2])

    assert len(collapsed(useless)) == 1
    assert len(collapsed(useful)) == 4
    assert len(ErrorBased(confidence=None).prune(useful, [NUMBER, LETTER])) == 4


def test_a_smaller_confidence_cuts_more():
    rows = _rows([((1, 1), 0, 6), ((1, 2), 1, 1), ((1, 2), 0, 1), ((1, 3), 1, 2)])
    nodes = _nodes([(1, 3, 0), None, None, None], *rows[:2])

    sizes = [len(ErrorBased(confidence=c).prune(nodes, [NUMBER, LETTER])) for c in (0.5, 0.001)]

    assert sizes == [4, 1]


def test_the_tree_that_is_given_is_left_as_it_is():
    nodes = _nodes(ABOVE, *SMALL_BRANCH[:2])
    before = nodes.attribute.copy(), nodes.counts.copy(), SMALL_BRANCH.weights.copy()

    ErrorBased(records=SMALL_BRANCH).prune(nodes, [NUMBER, LETTER])

    for old, new in zip(before, (nodes.attribute, nodes.counts, SMALL_BRANCH.weights), strict=True):
        assert (old == new).all()
