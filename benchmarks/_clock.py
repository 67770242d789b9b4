"""Timing of one thing against another."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """A measured figure, and the bar it is held against."""

    what: str
    figure: float
    unit: str
    bar: float
    least: bool = False

    def __str__(self) -> str:
        kept = self.figure >= self.bar if self.least else self.figure <= self.bar
        relation = "at least" if self.least else "at most"
        verdict = "" if kept else "  <-- missed"
        return f"{self.what:58}{self.figure:9.3g} {self.unit:5} ({relation} {self.bar:g}){verdict}"


def best(run: Callable[[], object], *, repeats: int = 7) -> float:
    """Return the shortest of several runs, after one to warm up."""
    run()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)
