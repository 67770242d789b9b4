import copy
import pickle

import numpy as np
import pytest

from scumble.entropy import Cryptographic, Seeded, entropy_from
from scumble.errors import EntropyError


def test_two_sources_of_the_system_never_repeat():
    one, other = (Cryptographic().stream("age").words(1000) for _ in range(2))

    assert not np.isin(one, other).any()


def test_a_seed_repeats_and_labels_differ():
    age = Seeded(3).stream("age").words(100)

    assert np.array_equal(age, Seeded(3).stream("age").words(100))
    assert not np.isin(age, Seeded(3).stream("salary").words(100)).any()
    assert not np.isin(age, Seeded(4).stream("age").words(100)).any()


def test_a_seeded_stream_is_the_same_on_every_machine():
    assert Seeded(1).stream("age").words(2).tolist() == [
        8346948228180228908,
        17634157474813292902,
    ]


def test_a_stream_goes_on_where_it_stopped():
    whole = Seeded(3).stream("age").words(200_000)
    stream = Seeded(3).stream("age")
    parts = np.concatenate([stream.words(size) for size in (1, 70_000, 0, 129_999)])

    assert np.array_equal(whole, parts)


def test_uniform_draws_never_touch_the_ends():
    class Extreme(type(Seeded(0).stream(""))):
        def __init__(self):
            pass

        def words(self, count):
            return np.array([0, 2**64 - 1], dtype=np.uint64)

    assert (Extreme().uniform(2) > 0).all()
    assert (Extreme().uniform(2) < 1).all()


def test_what_a_seed_argument_means():
    assert not entropy_from(None).seeded
    assert entropy_from(1).seeded


def test_a_source_is_no_seed_for_two_tables_would_share_its_noise():
    with pytest.raises(EntropyError, match="expected an integer, got Cryptographic"):
        entropy_from(Cryptographic())


@pytest.mark.parametrize("copy", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_source_cannot_be_stored_or_copied(copy):
    for secret in (Cryptographic(), Cryptographic().stream("age")):
        with pytest.raises(EntropyError, match="same noise again"):
            copy(secret)


@pytest.mark.parametrize("seed", [1.5, "1", True])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(EntropyError, match="expected an integer"):
        Seeded(seed)


def test_a_source_does_not_show_its_key():
    assert repr(Cryptographic()) == "Cryptographic()"
