"""The same disguise for the same entity, every time it is asked."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scumble.entropy._source import Entropy, Stream, derived_key
from scumble.errors import EntropyError

Blocks = NDArray[np.uint64]

_MINIMUM_SECRET = 16
_LONGEST_NAME = 64
_BATCH = 1 << 16


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
        decimal text are the same entity, since files do not tell them apart. An
        entity that stands there twice with two truths shows their difference.

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
    AES-256 as a pseudorandom function, twice. The name of an entity, with its length
    before it, is condensed to 128 bits by CBC-MAC under a key derived from the
    secret; for each attribute and draw these are encrypted under a key of its own.
    """

    seeded = False

    def __init__(self, secret: bytes, *, entities: Sequence[Any] | NDArray[Any]) -> None:
        if not isinstance(secret, bytes) or len(secret) < _MINIMUM_SECRET:
            raise EntropyError(
                f"secret: expected at least {_MINIMUM_SECRET} bytes; "
                "make one with secrets.token_bytes(32) and keep it"
            )
        self._key = hashlib.blake2b(secret, person=b"scumble entity", digest_size=32).digest()
        names = _names(entities)
        key = derived_key(self._key, "name of the entity")
        self._marks = np.empty((len(names), 2), dtype="<u8")
        for start in range(0, len(names), _BATCH):
            self._marks[start : start + _BATCH] = _marks(names[start : start + _BATCH], key)

    def stream(self, label: str) -> Stream:
        return _EntityStream(derived_key(self._key, f"draws for {label}"), self._marks)

    def __repr__(self) -> str:
        return f"Fixed({len(self._marks)} entities)"


class _EntityStream(Stream):
    def __init__(self, key: bytes, marks: Blocks) -> None:
        self._key = key
        self._marks = marks
        self._draw = 0

    def words(self, count: int) -> NDArray[np.uint64]:
        if count != len(self._marks):
            raise EntropyError(
                f"fixed noise: expected {len(self._marks)} records, one for each entity, "
                f"got {count}; pass the entities of this very table"
            )
        self._draw += 1
        drawn = _encrypted(self._marks, derived_key(self._key, f"draw {self._draw}"))
        return np.ascontiguousarray(drawn[:, 0])


def _encrypted(blocks: Blocks, key: bytes) -> Blocks:
    """Encrypt each block of 16 bytes alone."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    # A block cipher asks for room for one block more than it writes.
    result = np.empty((len(blocks) + 1, 2), dtype="<u8")
    encryptor = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    encryptor.update_into(blocks.tobytes(), result.data.cast("B"))
    return result[:-1]


def _marks(names: NDArray[np.str_], key: bytes) -> Blocks:
    """Return 128 bits for each name: CBC-MAC over its length and its letters."""
    width = -(-max(names.dtype.itemsize, 1) // 16)
    letters = np.zeros((len(names), width * 16), dtype=np.uint8)
    raw = np.ascontiguousarray(names.astype(names.dtype.newbyteorder("<")))
    letters[:, : names.dtype.itemsize] = raw.view(np.uint8).reshape(len(names), -1)
    blocks = letters.view("<u8").reshape(len(names), width, 2)
    lengths = np.strings.str_len(names).astype(np.uint64)
    # With the length in front no name is the beginning of another.
    marks = _encrypted(np.column_stack((lengths, np.zeros_like(lengths))), key)
    for place in range(width):
        # Beyond its end a name is left alone, or its mark would depend on the others.
        inside = lengths > 4 * place
        marks[inside] = _encrypted(marks[inside] ^ blocks[inside, place], key)
    return marks


def _names(entities: Sequence[Any] | NDArray[Any]) -> NDArray[np.str_]:
    """Return the identifiers as text."""
    ids = entities if isinstance(entities, np.ndarray) else _as_array(entities)
    if ids.ndim != 1 or np.ma.is_masked(ids):
        raise EntropyError("entities: expected one identifier per record in one dimension")
    if ids.dtype.kind in "iu":
        return ids.astype(str)
    values = ids.tolist()
    if not all(
        issubclass(kind, str | int | np.integer) and kind is not bool
        for kind in {type(value) for value in values}
    ):
        raise EntropyError(
            "entities: expected whole numbers or text; missing or fractional identifiers cannot "
            "fix the noise of an entity"
        )
    return np.array([_short(str(value)) for value in values], dtype=str)


def _as_array(entities: Sequence[Any]) -> NDArray[Any]:
    ids = np.asarray(entities, dtype=None if hasattr(entities, "dtype") else object)
    return ids if ids.dtype.kind in "iu" else ids.astype(object)


def _short(name: str) -> str:
    """Return a name, or the hash of one that an array of text would not hold well.

    Such an array is as wide as its longest name and drops a final zero character.
    """
    if len(name) <= _LONGEST_NAME and "\0" not in name:
        return name
    return "blake2b " + hashlib.blake2b(name.encode(errors="surrogatepass")).hexdigest()
