"""Every mechanism, on domains that ask something of it."""

from scumble import Categorical, Date, Numeric
from scumble.mechanisms import (
    GaussianNoise,
    Identity,
    LaplaceNoise,
    MultiplicativeNoise,
    RandomizedResponse,
    SharedCoin,
    SquareWave,
    UniformNoise,
    UnrelatedQuestion,
    ValueClasses,
    Warner,
    Withheld,
)
from scumble.schema import Product

AGE = Numeric(20, 80)
WHOLE_AGE = Numeric(17, 90, step=1)
SALARY = Numeric(20_000, 150_000)
COMMISSION = Numeric(0, 75_000, atoms=[0])
BORN = Date("1940-01-01", "2009-12-31")
HIRED = Date("2024-01-01", "2024-12-31")
COLOUR = Categorical(["red", "green", "blue", "black", "white"])
ANSWER = Categorical(["no", "yes"])
THREE_ANSWERS = Product([ANSWER, ANSWER, ANSWER])

NOISY = [
    (GaussianNoise(privacy=1.0), AGE),
    (GaussianNoise(privacy=0.25, confidence=0.5), SALARY),
    (GaussianNoise(sd=3, grid=1), AGE),
    (GaussianNoise(sd=3, grid=5), WHOLE_AGE),
    (GaussianNoise(privacy=0.5), COMMISSION),
    (UniformNoise(privacy=1.0), AGE),
    (UniformNoise(half_width=7, grid=0.5), WHOLE_AGE),
    (LaplaceNoise(epsilon=1), AGE),
    (LaplaceNoise(scale=5, grid=2), AGE),
    (LaplaceNoise(privacy=1.0), SALARY),
    (SquareWave(epsilon=0.5), AGE),
    (SquareWave(epsilon=4), Numeric(0, 1)),
    (MultiplicativeNoise(privacy=1.0), SALARY),
    (MultiplicativeNoise(sd=0.2), COMMISSION),
    (GaussianNoise(privacy=0.5), BORN),
    (GaussianNoise(sd=30, grid=7), HIRED),
    (UniformNoise(half_width=45), HIRED),
    (LaplaceNoise(epsilon=0.1), BORN),  # beyond the calendar, where it is cut off
    (SquareWave(epsilon=1), HIRED),
    (RandomizedResponse(keep=0.6), COLOUR),
    (RandomizedResponse(keep=0.1), COLOUR),
    (RandomizedResponse(epsilon=1), COLOUR),
    (Warner(keep=0.8), ANSWER),
    (Warner(keep=0.3), ANSWER),
    (UnrelatedQuestion(keep=0.5), ANSWER),
    (UnrelatedQuestion(keep=0.3, shares=[0.1, 0.2, 0.3, 0.2, 0.2]), COLOUR),
    (SharedCoin(keep=0.8), THREE_ANSWERS),
]
NOISELESS = [
    (ValueClasses(count=5), AGE),
    (ValueClasses(cuts=[30, 50]), AGE),
    (ValueClasses(count=7), BORN),
    (ValueClasses(cuts=["2024-02-01", "2024-07-01"]), HIRED),
    (ValueClasses(cuts=[5, 70]), Numeric(0, 999, step=1)),
    (Identity(), AGE),
    (Identity(), BORN),
    (Withheld(), BORN),
    (Identity(), COLOUR),
    (Withheld(), AGE),
    (Withheld(), COLOUR),
]
ALL = NOISY + NOISELESS


def name(case):
    """Return a readable name for a case or a part of one."""
    return str(getattr(case, "name", getattr(case, "kind", case)))
