import pytest

from scumble.audit import samples_to_catch
from scumble.errors import SpecificationError


def test_rarer_events_and_larger_claims_take_more_reports():
    easy = samples_to_catch(0.01, epsilon=1)

    assert samples_to_catch(0.001, epsilon=1) > 5 * easy
    assert samples_to_catch(0.01, epsilon=2) > easy
    assert samples_to_catch(0.01, epsilon=1, otherwise=0.001) > easy


@pytest.mark.parametrize("otherwise", [0.9, 0.05])
def test_an_event_that_contradicts_nothing_is_refused(otherwise):
    with pytest.raises(SpecificationError, match="look for a larger leak"):
        samples_to_catch(0.1, epsilon=1, otherwise=otherwise)
