"""Sources of randomness that are read by label."""

import hashlib
import os
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from scumble.errors import EntropyError

KEY_BYTES = 32
_BLOCK = 1 << 16


class _KeptHere:
    """What holds a key stays in its process."""

    def __reduce__(self) -> str:
        raise EntropyError(
            f"{type(self).__name__}: expected to stay in this process; a stored copy would give "
            "the same noise again"
        )


class Stream(_KeptHere, ABC):
    """A sequence of independent uniform draws, one array at a time."""

    @abstractmethod
    def words(self, count: int) -> NDArray[np.uint64]:
        """Return the next `count` random 64-bit words."""

    def uniform(self, count: int) -> NDArray[np.float64]:
        """Return the next `count` draws from the open interval (0, 1).

        A draw is one of 2**52 equally spaced values, none of them 0 or 1, so
        that any quantile function stays finite.
        """
        words = self.words(count)
        draws = np.empty(count)
        # Block by block the intermediate words stay in the cache.
        for start in range(0, count, _BLOCK):
            part = slice(start, start + _BLOCK)
            np.multiply(words[part] >> np.uint64(12), 2.0**-52, out=draws[part])
            # Half a step up; with a bit more the largest would round to 1.
            draws[part] += 2.0**-53
        return draws


class Entropy(_KeptHere, ABC):
    """A source of streams.

    Attributes
    ----------
    seeded : bool
        Whether the draws can be repeated by anyone who knows the seed. Reports
        made with such a source protect nobody; they are for experiments.
    """

    seeded: bool

    @abstractmethod
    def stream(self, label: str) -> Stream:
        """Return the stream of this label, from its beginning."""


def derived_key(key: bytes, label: str) -> bytes:
    """Return a key for one label that tells nothing about the others."""
    return hashlib.blake2b(label.encode(), key=key, digest_size=KEY_BYTES).digest()


class _Keystream(Stream):
    """AES-256 in counter mode, encrypting zeros."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        # Every label has a key of its own, so a constant start never repeats a pad.
        self._encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()

    def words(self, count: int) -> NDArray[np.uint64]:
        words = np.empty(count, dtype="<u8")
        zeros = bytes(8 * min(count, _BLOCK))
        target = words.view(np.uint8).data
        for start in range(0, 8 * count, 8 * _BLOCK):
            size = min(8 * count - start, 8 * _BLOCK)
            self._encryptor.update_into(zeros[:size], target[start : start + size])
        return words


class _Keyed(Entropy):
    """Streams that are keystreams under one master key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def stream(self, label: str) -> Stream:
        return _Keystream(derived_key(self._key, label))

    def __repr__(self) -> str:
        # The key is a secret: it appears in no text.
        return f"{type(self).__name__}()"


class Cryptographic(_Keyed):
    """Randomness that nobody can foresee, keyed from the operating system.

    Examples
    --------
    >>> from scumble.entropy import Cryptographic
    >>> draws = Cryptographic().stream("age").uniform(1000)
    >>> bool(0 < draws.min() < draws.max() < 1)
    True

    Notes
    -----
    AES-256 in counter mode under a key of 32 bytes from `os.urandom`.
    """

    seeded = False

    def __init__(self) -> None:
        super().__init__(os.urandom(KEY_BYTES))


class Seeded(_Keyed):
    """Randomness that repeats, for experiments only.

    The draws depend on the seed and the label alone: neither on the platform nor
    on the version of a numerical library.

    Examples
    --------
    >>> from scumble.entropy import Seeded
    >>> first, again = (Seeded(7).stream("age").words(3) for _ in range(2))
    >>> bool((first == again).all())
    True
    """

    seeded = True

    def __init__(self, seed: int) -> None:
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
            raise EntropyError(f"seed: expected an integer, got {type(seed).__name__}")
        super().__init__(hashlib.blake2b(b"scumble seed %d" % int(seed), digest_size=32).digest())


def entropy_from(seed: int | None) -> Entropy:
    """Return the source that a `seed` argument means: fresh randomness, or a seeded one.

    A source itself is not taken: used for two tables it would give both the same
    noise, and their difference the truth.
    """
    return Cryptographic() if seed is None else Seeded(seed)
