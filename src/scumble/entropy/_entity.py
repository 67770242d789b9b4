"""The same disguise for the same entity, every time it is asked."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.entropy._source import Entropy, Stream, derived_key
from scumble.errors import EntropyError

_MINIMUM_SECRET = 16
_BLOCK = np.dtype([("call", "<u2"), ("kind", "<u2"), ("low", "<u4"), ("high", "<u8")])
_INTEGER, _TEXT = 0, 1


class Fixed(Entropy):
    """Randomness that belongs to an entity: asked again, it answers the same.

    Whoever asks a respondent a hundred times and averages the answers removes
    fresh noise, but learns nothing new from noise that is fixed. The draws are a
    function of a secret, the entity and the attribute; a different one of any of
    the three gives independent draws.

    Parameters
    ----------
    secret : bytes
        At least 16 bytes that only the respondent's side knows. Whoever learns it
        can take the noise off.
    entities : sequence of int or str
        One identifier per record, in the order of the table. An integer and its
        decimal text are the same entity, since files do not tell them apart.

    Examples
    --------
    >>> from scumble.entropy import Fixed
    >>> secret = b"sixteen bytes or more"
    >>> one = Fixed(secret, entities=["ada", "bob"]).stream("age").uniform(2)
    >>> other = Fixed(secret, entities=["bob", "ada"]).stream("age").uniform(2)
    >>> bool(one[0] == other[1] and one[1] == other[0])
    True

    Notes
    -----
    AES-256 as a pseudorandom function: the key is derived from the secret and the
    attribute, the block holds the entity and the number of the draw. Text is
    hashed to 96 bits first (BLAKE2b).
    """

    seeded = False

    def __init__(self, secret: bytes, *, entities: Sequence[Any] | NDArray[Any]) -> None:
        if not isinstance(secret, bytes) or len(secret) < _MINIMUM_SECRET:
            raise EntropyError(
                f"secret: expected at least {_MINIMUM_SECRET} bytes; "
                "make one with secrets.token_bytes(32) and keep it"
            )
        self._key = hashlib.blake2b(secret, person=b"scumble entity", digest_size=32).digest()
        self._blocks = _entity_blocks(entities)

    def stream(self, label: str) -> Stream:
        return _EntityStream(derived_key(self._key, label), self._blocks)

    def __repr__(self) -> str:
        return f"Fixed({len(self._blocks)} entities)"


class _EntityStream(Stream):
    def __init__(self, key: bytes, blocks: NDArray[np.void]) -> None:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        # Each block is distinct (entity and number of the draw), so encrypting it
        # alone is a pseudorandom function of it.
        self._cipher = Cipher(algorithms.AES(key), modes.ECB())
        self._blocks = blocks
        self._call = 0

    def words(self, count: int) -> NDArray[np.uint64]:
        if count != len(self._blocks):
            raise EntropyError(
                f"fixed noise: expected {len(self._blocks)} records, one for each entity, "
                f"got {count}; pass the entities of this very table"
            )
        blocks = self._blocks.copy()
        blocks["call"] = self._call
        self._call += 1
        # A block cipher asks for room for one block more than it writes.
        drawn = np.empty(2 * count + 2, dtype="<u8")
        self._cipher.encryptor().update_into(blocks.tobytes(), drawn.view(np.uint8).data)
        return np.ascontiguousarray(drawn[: 2 * count : 2])


def _entity_blocks(entities: Sequence[Any] | NDArray[Any]) -> NDArray[np.void]:
    """Return one 16-byte block per entity, distinct for distinct entities."""
    ids = np.asarray(entities)
    if ids.ndim != 1:
        raise EntropyError("entities: expected one identifier per record in one dimension")
    blocks = np.zeros(len(ids), dtype=_BLOCK)
    if ids.dtype.kind in "iu":
        blocks["high"] = ids.astype(np.int64).view(np.uint64)
    elif ids.dtype.kind in "UOT":
        _hash_into(blocks, ids.tolist())
    elif len(ids):
        raise EntropyError(
            f"entities: expected integers or text, got {ids.dtype}; missing or fractional "
            "identifiers cannot fix the noise of an entity"
        )
    return blocks


def _hash_into(blocks: NDArray[np.void], ids: list[Any]) -> None:
    kinds, lows, highs = [], [], []
    for value in ids:
        number = _as_integer(value)
        if number is not None:
            kinds.append(_INTEGER)
            lows.append(0)
            highs.append(number & 0xFFFF_FFFF_FFFF_FFFF)
        elif isinstance(value, str):
            digest = hashlib.blake2b(value.encode(), digest_size=12).digest()
            kinds.append(_TEXT)
            lows.append(int.from_bytes(digest[:4], "little"))
            highs.append(int.from_bytes(digest[4:], "little"))
        else:
            raise EntropyError(
                "entities: expected integers or text; missing identifiers cannot fix "
                "the noise of an entity"
            )
    blocks["kind"], blocks["low"], blocks["high"] = kinds, lows, highs


def _as_integer(value: Any) -> int | None:
    """Return the integer that a value is or spells in canonical form, if any."""
    if isinstance(value, int) and not isinstance(value, bool):
        number = value
    elif isinstance(value, str) and len(value) <= 20 and value.lstrip("-").isdecimal():
        number = int(value)
        if str(number) != value:
            return None
    else:
        return None
    return number if -(2**63) <= number < 2**63 else None
