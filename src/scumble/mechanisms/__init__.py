"""Channels, one file each: what a respondent does to a truth before sending it.

Run `scumble.testing.check_mechanism` on a mechanism of your own.
"""

from scumble.mechanisms._gaussian import GaussianNoise
from scumble.mechanisms._groups import grouped
from scumble.mechanisms._identity import Identity
from scumble.mechanisms._laplace import LaplaceNoise
from scumble.mechanisms._multiplicative import MultiplicativeNoise
from scumble.mechanisms._randomized_response import RandomizedResponse
from scumble.mechanisms._shared_coin import SharedCoin, joint_channel
from scumble.mechanisms._square_wave import SquareWave
from scumble.mechanisms._uniform import UniformNoise
from scumble.mechanisms._unrelated_question import UnrelatedQuestion
from scumble.mechanisms._value_classes import ValueClasses
from scumble.mechanisms._warner import Warner
from scumble.mechanisms._withheld import Withheld

__all__ = [
    "GaussianNoise",
    "Identity",
    "LaplaceNoise",
    "MultiplicativeNoise",
    "RandomizedResponse",
    "SharedCoin",
    "SquareWave",
    "UniformNoise",
    "UnrelatedQuestion",
    "ValueClasses",
    "Warner",
    "Withheld",
    "grouped",
    "joint_channel",
]
