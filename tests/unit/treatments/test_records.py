import pyarrow as pa
import pytest

from scumble.treatments._records import places_of


@pytest.mark.parametrize("chunks", [1, 2])
def test_categories_are_counted_by_their_codes(chunks):
    half = pa.array(["a", "b", None, "a"]).dictionary_encode()
    rest = pa.array(["c", "b", "a", None]).dictionary_encode()
    column = pa.chunked_array([half, rest]) if chunks == 2 else half

    places = places_of(column)

    plain = places_of(column.cast(pa.string()))
    assert places.tolist() == plain.tolist()


def test_a_list_of_values_that_holds_one_twice_tells_it_once():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, None]), pa.array(["a", "b", "a"]))

    assert places_of(column).tolist() == [0, 1, 0, -1]
