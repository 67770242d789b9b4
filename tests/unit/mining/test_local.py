import numpy as np

from scumble import disguise
from scumble.datasets import make_quest, quest_specification
from scumble.engines import Rows, Splits
from scumble.mechanisms import GaussianNoise
from scumble.mining._local import LocalSource
from scumble.mining._reports import Reports
from scumble.reconstruction import Bayes

SPEC = quest_specification(GaussianNoise(privacy=1.0))
NAMES = ["salary", "age"]


def _source(*, n=20_000, least=1000.0):
    X, y = make_quest(2, n=n, seed=1)
    table = disguise(X, SPEC, seed=1)
    reports = [Reports(SPEC[name], cells=100, method=Bayes()) for name in NAMES]
    fine = [r.codes(table[name]) for r, name in zip(reports, NAMES, strict=True)]
    codes = np.column_stack([np.zeros((n, 2), dtype=np.uint16), *fine])
    labels = (y == "B").astype(np.uint16)
    rows = Rows(codes, labels, sizes=[len(r.column) + 1 for r in reports], classes=2)
    return LocalSource(rows, list(enumerate(reports)), least=least)


def _split_in_the_middle(source, attribute):
    size = int(source.offsets[1])
    left = np.tile((np.arange(size) <= size // 2).astype(np.uint8), (len(attribute), 1))
    source.split(Splits.in_two(np.array(attribute), left))


def test_the_root_is_associated_however_small():
    source = _source(n=300, least=10**9)

    counts = np.concatenate(list(source.counts()))

    assert counts.sum() == 2 * 300
    assert counts[0, 0].sum() == 0


def test_a_node_with_records_enough_is_associated_anew():
    source = _source()
    list(source.counts())
    _split_in_the_middle(source, [0])
    before = source.rows.codes[:, 1].copy()

    list(source.counts())

    assert (source.rows.codes[:, 1] != before).mean() > 0.1


def test_an_attribute_that_the_path_has_split_on_keeps_its_cells():
    source = _source()
    list(source.counts())
    _split_in_the_middle(source, [0])
    before = source.rows.codes[:, 0].copy()

    list(source.counts())

    assert (source.rows.codes[:, 0] == before).all()


def test_a_small_node_keeps_the_cells_of_the_node_above():
    source = _source(least=15_000)
    list(source.counts())
    _split_in_the_middle(source, [0])
    before = source.rows.codes.copy()

    list(source.counts())

    assert (source.rows.codes == before).all()


def test_what_a_path_has_split_on_is_remembered_for_each_node_alone():
    source = _source()
    list(source.counts())
    _split_in_the_middle(source, [0])
    list(source.counts())

    _split_in_the_middle(source, [-1, 1])

    assert source.settled.tolist() == [[True, True], [True, True]]
    assert len(source.rows) == 2
