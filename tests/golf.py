"""Quinlan's table of days on which golf is played (1993, chapter 2)."""

import pandas as pd

_DAYS = """
sunny    75 70 true  play
sunny    80 90 true  don't
sunny    85 85 false don't
sunny    72 95 false don't
sunny    69 70 false play
overcast 72 90 true  play
overcast 83 78 false play
overcast 64 65 true  play
overcast 81 75 false play
rain     71 80 true  don't
rain     65 70 true  don't
rain     75 80 false play
rain     68 80 false play
rain     70 96 false play
"""


def golf(*, unknown=False):
    """Return the table and the classes; with the outlook of one day unknown, as in chapter 3."""
    names = ["outlook", "temperature", "humidity", "windy", "class"]
    rows = [line.split() for line in _DAYS.split("\n") if line]
    table = pd.DataFrame(rows, columns=names)
    table[["temperature", "humidity"]] = table[["temperature", "humidity"]].astype(float)
    if unknown:
        table.loc[5, "outlook"] = None
    return table.drop(columns="class"), table["class"].to_numpy()
