"""A table as people have them: mixed types, gaps, dates, odd names."""

import csv
import datetime
import random

CLASS = "Diagnose €"
HEADER = (
    *("Person ID", " Age (years)", "income $", "smoker?", "Town/City", "date of birth"),
    *("member", "grade [1-5]", "remark, if any", CLASS, "woke at"),
    *("", "big number", "flag", "empty"),
)


def write_odd_table(path, *, records=600, seed=5):
    """Write it as CSV; the class depends on the age."""
    draw = random.Random(seed)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for number in range(records):
            age = draw.randint(18, 90)
            born = datetime.date(2020, 1, 1) - datetime.timedelta(365 * age + draw.randint(0, 364))
            writer.writerow(
                [
                    f"P{number:05d}",
                    age if draw.random() > 0.05 else "",
                    round(draw.lognormvariate(10, 0.5), 2) if draw.random() > 0.1 else "NA",
                    draw.choice("yn"),
                    draw.choice(["Oslo", "Rome", "New York", "São Paulo, BR"]),
                    born.isoformat(),
                    draw.choice(["true", "false"]),
                    draw.randint(1, 5),
                    'said "hi", bye' if number % 3 else "two\nlines",
                    "ill" if (age > 55) ^ (draw.random() < 0.1) else "well",
                    f"{draw.randint(0, 23):02d}:{draw.randint(0, 59):02d}",
                    number,
                    10**18 + number,
                    draw.choice(["0", "1", ""]),
                    "",
                ]
            )
    return path
