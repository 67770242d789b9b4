import numpy as np
import pytest

from scumble import Categorical, Numeric, Specification, Text
from scumble.audit._evidence import evidence_of, who_knows
from scumble.errors import SpecificationError, TableError
from scumble.mechanisms import GaussianNoise, Warner

SPEC = Specification(
    {
        "age": Numeric(0, 100, mechanism=GaussianNoise(sd=10)),
        "smoker": Categorical(["no", "yes"], mechanism=Warner(keep=0.8)),
        "town": Categorical(["A", "B"]),
        "income": Numeric(0, 1, sensitivity="withheld"),
        "note": Text(),
    }
)


def _evidence(rows=4, **given):
    import pandas as pd

    table = pd.DataFrame(
        {
            "age": np.linspace(0, 100, rows),
            "smoker": ["no", "yes"] * (rows // 2),
            "town": ["A"] * rows,
            "income": [0.5] * rows,
            "note": ["x"] * rows,
        }
    )
    return evidence_of(table, table, SPEC, **({"records": 100, "seed": 1} | given))


def test_what_a_mechanism_disguises_can_be_attacked():
    assert _evidence().disguised == ["age", "smoker"]
    assert _evidence().chosen(None) == ["age", "smoker"]
    assert _evidence().chosen(["smoker"]) == ["smoker"]


def test_what_is_in_clear_or_withheld_cannot():
    for name in ("town", "income", "note", "smokr"):
        with pytest.raises(SpecificationError, match="names"):
            _evidence().chosen([name])


def test_a_sample_is_drawn_without_repeats_and_in_order():
    rows = _evidence(rows=100, records=30).rows

    assert len(set(rows.tolist())) == 30
    assert (np.diff(rows) > 0).all()


def test_the_sample_is_repeatable():
    one, same, other = (_evidence(rows=100, records=30, seed=s).rows for s in (1, 1, 2))

    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_tables_of_two_lengths_are_refused():
    spec = Specification({"smoker": SPEC["smoker"]})
    truths, reports = np.array([["no"], ["yes"]]), np.array([["no"]])

    with pytest.raises(TableError, match="each of the 2 truths"):
        evidence_of(truths, reports, spec, records=10, seed=1)


@pytest.mark.parametrize("records", [0, -1, 1.5, True])
def test_a_sample_has_a_size(records):
    with pytest.raises(SpecificationError, match="records"):
        _evidence(records=records)


def test_knowledge_of_another_kind_is_refused():
    with pytest.raises(SpecificationError, match="did you mean 'population'"):
        who_knows("populaton")
