import numpy as np
import pytest

from scumble.audit._lags import suspicious_lags


@pytest.mark.parametrize("period", [3, 777, 12_345])
def test_a_period_is_found_among_all_distances(period):
    """Half of the records have another truth."""
    generator = np.random.default_rng(period)
    chosen = generator.random(50_000) < 0.5
    noise = np.resize(generator.random(period), 50_000)

    lags = suspicious_lags(chosen, np.where(chosen, noise, 5 + noise))

    assert any(lag % period == 0 for lag in lags)


def test_reports_without_any_noise_do_no_harm():
    assert len(suspicious_lags(np.ones(20_000, dtype=bool), np.zeros(20_000))) <= 3


def test_distances_leave_pairs_to_look_at():
    lags = suspicious_lags(np.ones(3000, dtype=bool), np.random.default_rng(0).random(3000))

    assert all(0 < lag < 2000 for lag in lags)
