import numpy as np
import pandas as pd
import pytest

from scumble.entropy import Fixed
from scumble.errors import EntropyError

SECRET = b"a secret of more than sixteen bytes"


def _draws(entities, *, secret=SECRET, label="age"):
    return Fixed(secret, entities=entities).stream(label).uniform(len(entities))


def test_an_entity_gets_the_same_draw_wherever_it_stands():
    assert _draws(["ada", "bob", "eve"])[1] == _draws(["bob"])[0]
    assert _draws([5, 7, 9])[2] == _draws([9])[0]


def test_a_number_and_its_text_are_one_entity():
    ids = np.array([0, 7, -3, 2**62])

    texts = [str(number) for number in ids]

    assert np.array_equal(_draws(ids), _draws(texts))
    assert np.array_equal(_draws(ids), _draws(np.array(texts, dtype=object)))
    assert np.array_equal(_draws(ids), _draws(pd.Series(ids)))


def test_texts_that_only_look_alike_are_two_entities():
    draws = _draws(["7", "07", "7 ", "+7", "7.0", "\u0667"])

    assert len(set(draws)) == 6


def test_a_name_is_condensed_by_itself_whatever_stands_beside_it():
    names = ["", "a", "a\0", "abcd", "abcde", "x" * 64, "x" * 65, "x" * 5000, "\u00e4", "\ud800"]

    assert [float(_draws([name])[0]) for name in names] == _draws(names).tolist()
    assert len(set(_draws(names))) == len(names)


@pytest.mark.parametrize("kind", [list, np.array, lambda n: np.array(n, dtype=object), pd.Series])
def test_an_entity_is_the_same_in_every_kind_of_column(kind):
    names = ["ada", "x" * 70]

    assert np.array_equal(_draws(kind(names)), _draws(names))


def test_numbers_of_numpy_in_a_list_are_entities():
    assert np.array_equal(_draws([np.int64(7)]), _draws([7]))


def test_many_names_are_condensed_in_batches():
    names = [f"person {number}" for number in range(70_000)]

    assert _draws(names)[-1] == _draws(names[-1:])[0]
    assert len(set(_draws(names))) == 70_000


def test_another_entity_attribute_or_secret_gives_another_draw():
    base = _draws(np.arange(1000))

    for other in (
        _draws(np.arange(1000, 2000)),
        _draws(np.arange(1000), label="salary"),
        _draws(np.arange(1000), secret=SECRET + b"!"),
    ):
        assert not np.isin(base, other).any()


def test_each_further_draw_of_an_entity_is_new():
    stream = Fixed(SECRET, entities=["ada"]).stream("age")

    assert len({float(stream.uniform(1)[0]) for _ in range(5)}) == 5


def test_an_entity_that_occurs_twice_answers_twice_the_same():
    one, other = _draws(["ada", "ada"])

    assert one == other


@pytest.mark.parametrize("secret", ["text of more than sixteen", b"short", None])
def test_a_weak_secret_is_refused_and_not_shown(secret):
    with pytest.raises(EntropyError, match=r"at least 16 bytes.*token_bytes") as caught:
        Fixed(secret, entities=[1])

    assert "short" not in str(caught.value)


@pytest.mark.parametrize(
    "entities",
    [
        [None, "a"],
        [1.5, 2.5],
        [float("nan")],
        [["a"], ["b"]],
        [True, False],
        np.ma.array([1, 2], mask=[False, True]),
    ],
)
def test_an_entity_that_cannot_be_named_is_refused(entities):
    with pytest.raises(EntropyError):
        _draws(entities)


def test_a_table_of_another_length_is_refused():
    with pytest.raises(EntropyError, match="expected 2 records"):
        Fixed(SECRET, entities=["ada", "bob"]).stream("age").uniform(3)


def test_no_entities_need_no_draws():
    assert len(_draws([])) == 0


def test_a_source_does_not_show_its_secret():
    assert repr(Fixed(SECRET, entities=[1])) == "Fixed(1 entities)"
