import json

import pytest
from scipy.stats import binomtest

from scumble.audit import attack_result
from scumble.audit._attack import clopper_pearson
from scumble.errors import TableError


@pytest.mark.parametrize(("successes", "trials"), [(0, 7), (3, 10), (950, 1000), (5, 5)])
def test_the_interval_is_that_of_clopper_and_pearson(successes, trials):
    expected = binomtest(successes, trials).proportion_ci(0.95, method="exact")

    assert clopper_pearson(successes, trials) == pytest.approx(
        (expected.low, expected.high), abs=1e-12
    )


def test_a_result_tells_whether_the_reports_helped():
    few = attack_result(6, 10, attack="a", base=0.5, explanation="A.")
    many = attack_result(6000, 10_000, attack="a", base=0.5, explanation="A.")

    assert not few.beats_base
    assert many.beats_base
    assert many.gain == pytest.approx(0.1)


def test_a_result_is_plain_json():
    result = attack_result(6, 10, attack="a", attribute="age", base=0.5, explanation="A.")

    assert json.loads(json.dumps(result.to_dict()))["attribute"] == "age"


def test_no_record_to_attack_is_an_error():
    with pytest.raises(TableError, match="got none"):
        attack_result(0, 0, attack="a", base=0.5, explanation="A.")
