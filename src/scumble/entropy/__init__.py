"""Randomness: cryptographic by default, seeded on request, fixed per entity.

A source of entropy hands out *streams* by label. Two labels give independent
streams; the same label gives the same stream again. That is all a group of
attributes needs to share one coin: its members draw from a stream of one name.
"""

from scumble.entropy._entity import Fixed
from scumble.entropy._source import Cryptographic, Entropy, Seeded, Stream, entropy_from

__all__ = ["Cryptographic", "Entropy", "Fixed", "Seeded", "Stream", "entropy_from"]
