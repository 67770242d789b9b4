"""Ways to break a mechanism, for the tests of what must catch them."""

import numpy as np

from scumble.entropy import Stream


def broken(monkeypatch, mechanism, change):
    """Break `disguise`: `change` gets the reports, the truths and draws of its own."""
    honest = type(mechanism).disguise

    def disguise(self, truth, domain, stream, *, coin=None):
        reports = honest(self, truth, domain, stream, coin=coin)
        return change(reports, truth, stream)

    monkeypatch.setattr(type(mechanism), "disguise", disguise)
    return mechanism


def with_another_noise(monkeypatch, mechanism, factor):
    """Multiply the noise, but not what is claimed."""
    honest, wrong = type(mechanism).disguise, mechanism.with_noise(factor)

    def disguise(self, truth, domain, stream, *, coin=None):
        return honest(wrong, truth, domain, stream, coin=coin)

    monkeypatch.setattr(type(mechanism), "disguise", disguise)
    return mechanism


def last_bit_tells(reports, truth, stream):
    """Write into the last bit whether the truth is among the upper ones."""
    upper = (truth > np.median(truth)).astype(np.int64)
    return ((reports.view(np.int64) & ~1) | upper).view(float)


def digits_tell(reports, truth, stream):
    """Write lower truths with fewer digits."""
    return np.where(truth < np.median(truth), np.round(reports, 1), reports)


def sometimes_the_truth(reports, truth, stream):
    """Tell the truth in one report of a thousand."""
    return np.where(stream.uniform(len(truth)) < 1e-3, truth, reports)


def noise_clamped(reports, truth, stream):
    """Cut noise off at 40, which leaves atoms that move with the truth."""
    return np.clip(reports, truth - 40, truth + 40)


def clamped(reports, truth, stream):
    """Cut reports off at the ends of 20 to 80."""
    return np.clip(reports, 20, 80)


def missing_tells(reports, truth, stream):
    """Lose upper truths more often."""
    lost = stream.uniform(len(truth)) < np.where(truth > np.median(truth), 0.1, 0.01)
    return np.where(lost, np.nan, reports)


class Reused(Stream):
    """Draws that begin anew after so many records."""

    def __init__(self, stream, *, period):
        self._stream, self._period = stream, period

    def words(self, count):
        words = self._stream.words(min(count, self._period))
        return np.resize(words, count)


class Doubled(Stream):
    """Each draw is used for two records."""

    def __init__(self, stream):
        self._stream = stream

    def words(self, count):
        return np.repeat(self._stream.words(count // 2 + 1), 2)[:count]
