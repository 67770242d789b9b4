import numpy as np

from scumble import Numeric, Specification, disguise
from scumble.mechanisms import UniformNoise
from scumble.mining._screen import telling_attributes
from scumble.population import attribute_reports
from scumble.tables import Table

WIDE = Specification({"x": Numeric(-5, 5, mechanism=UniformNoise(privacy=2.0))})


def _far_out(labels, *, spread, seed):
    """Return the channel of wide noise and reports whose classes differ by how far out they are."""
    rng = np.random.default_rng(seed)
    truths = np.where(labels == 1, spread, 1.0) * rng.normal(size=len(labels))
    reports = disguise(truths.clip(-5, 5)[:, None], WIDE, seed=seed)
    return attribute_reports(Table(reports, names=["x"]), WIDE, names=["x"])[0]


def _codes(n=5000, d=6, *, seed=1, most=60):
    return np.random.default_rng(seed).integers(1, most, (n, d)).astype(np.uint16)


def test_an_attribute_that_tells_alone_is_kept():
    codes = _codes()
    labels = (codes[:, 2] > 30).astype(np.int64)

    assert (
        telling_attributes(codes, labels, classes=2).tolist() == [False, False, True] + [False] * 3
    )


def test_attributes_that_tell_only_as_a_pair_are_kept():
    codes = _codes()
    labels = ((codes[:, 1] > 30) ^ (codes[:, 4] > 30)).astype(np.int64)

    kept = telling_attributes(codes, labels, classes=2)

    assert np.flatnonzero(kept).tolist() == [1, 4]


def test_noise_is_left_out_nearly_always():
    # 40 tables of six attributes and fifteen pairs: a limit of five standard deviations of a
    # chi-square is passed about once in a thousand, so more than four in 240 is under 1e-5.
    kept = 0
    for seed in range(40):
        labels = np.random.default_rng(1000 + seed).integers(0, 2, 2000)
        kept += int(telling_attributes(_codes(2000, seed=seed), labels, classes=2).sum())

    assert kept <= 4


def test_what_shows_only_far_out_is_found():
    """Of uniform noise wider than the domain the middle tells nothing; few reports are far out."""
    found = {True: 0, False: 0}
    for seed in range(10):
        labels = np.random.default_rng(seed).integers(0, 2, 30_000)
        channel, codes = _far_out(labels, spread=0.4, seed=seed)
        for known in found:
            channels = [channel] if known else None
            found[known] += telling_attributes(
                codes[:, None], labels, classes=2, channels=channels
            ).sum()

    assert found[True] >= 9
    # Bins that are equally full miss it.
    assert found[False] <= 5


def test_noise_in_bins_that_tell_is_left_out_nearly_always():
    # A limit of five standard deviations is passed six times in ten thousand: more than two
    # in forty under 1e-5.
    kept = 0
    for seed in range(40):
        labels = np.random.default_rng(2000 + seed).integers(0, 2, 2000)
        channel, codes = _far_out(labels, spread=1.0, seed=seed)
        kept += telling_attributes(codes[:, None], labels, classes=2, channels=[channel]).sum()

    assert kept <= 2


def test_missing_reports_and_unknown_classes_do_no_harm():
    codes = _codes()
    codes[::3] = 0
    labels = (codes[:, 2] > 30).astype(np.int64)
    labels[::5] = -1

    assert telling_attributes(codes, labels, classes=2)[2]


def test_a_constant_column_tells_nothing():
    codes = _codes(d=2)
    codes[:, 0] = 7
    labels = (codes[:, 1] > 30).astype(np.int64)

    assert telling_attributes(codes, labels, classes=2).tolist() == [False, True]


def test_more_than_two_classes():
    codes = _codes()

    labels = codes[:, 3].astype(np.int64) // 16

    assert np.flatnonzero(telling_attributes(codes, labels, classes=4)).tolist() == [3]


def test_what_a_coin_has_weakened_is_kept_where_it_is_worth_its_numbers():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 1000)
    # G^2 of so many lies in each class is 800, 3.2 and 0: clear, worth a number, nothing.
    lies = [np.tile(rng.permutation(np.arange(1000) < lie), 2) for lie in (184, 480, 500)]
    codes = (np.column_stack([labels ^ own for own in lies]) + 1).astype(np.uint16)

    assert telling_attributes(codes, labels, classes=2).tolist() == [True, False, False]
    weakened = telling_attributes(codes, labels, classes=2, weakened=[True] * 3)
    assert weakened.tolist() == [True, True, False]


def test_weak_ones_are_kept_that_tell_together():
    rng = np.random.default_rng(1)
    labels = np.repeat([0, 1], 1000)
    # Of each G^2 is 5: none of them stands out, but six such are no chance.
    lies = [np.tile(rng.permutation(np.arange(1000) < 475), 2) for _ in range(6)]
    codes = (np.column_stack([labels ^ own for own in lies]) + 1).astype(np.uint16)

    assert not telling_attributes(codes, labels, classes=2).any()
    assert telling_attributes(codes, labels, classes=2, weakened=[True] * 6).all()


def _kept_of_noise(*, copies):
    """Return in how many of 200 tables of noise behind coins something is kept."""
    kept = 0
    for seed in range(200):
        labels = np.random.default_rng(1000 + seed).integers(0, 2, 500)
        codes = np.repeat(_codes(500, seed=seed, d=3, most=3), copies, axis=1)
        weakened = [True] * codes.shape[1]
        kept += int(telling_attributes(codes, labels, classes=2, weakened=weakened).any())
    return kept


def test_weakened_noise_is_left_out_in_nine_tables_of_ten():
    # 20 are expected, and few more for those that stand out alone: above 50 is under 1e-6.
    assert 5 <= _kept_of_noise(copies=1) <= 50


def test_what_says_the_same_again_is_no_further_evidence():
    assert 5 <= _kept_of_noise(copies=4) <= 50
