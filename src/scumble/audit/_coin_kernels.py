"""The loop over reports and known records, compiled.

Importing this file imports numba, so it is imported where it is used.
"""

from typing import Any

from scumble.engines._kernels import compiled


@compiled
def likeliest_known(
    told: Any, other: Any, logs: Any, known: Any, prior: Any, scores: Any, best: Any
) -> None:
    """Set best to the known record behind each report that scores most, and scores to its score.

    Left as they are where none reaches the score that stands there. `logs` holds, by report
    and part, the logarithms of the probability given the truth told, the other, and any
    further one. None is above 0, so that a record is given up as soon as it falls behind:
    the frequent ones should come first.
    """
    for i in range(len(told)):
        most, found = scores[i], best[i]
        for d in range(len(known)):
            score = prior[d]
            for p in range(known.shape[1]):
                if score < most:
                    break
                if known[d, p] == told[i, p]:
                    score += logs[i, p, 0]
                elif known[d, p] == other[i, p]:
                    score += logs[i, p, 1]
                else:
                    score += logs[i, p, 2]
            if score > most or (score == most and found < 0):
                most, found = score, d
        scores[i], best[i] = most, found
