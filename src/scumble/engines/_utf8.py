"""Text as people save it, as UTF-8."""

import codecs
import io
from typing import Any

_BLOCK = 2 << 20
_TAIL = 1 << 16
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WESTERN = "cp1252"


class Utf8(io.RawIOBase):
    r"""A file to be read as UTF-8, whatever it is written in.

    UTF-16 is told by the mark that it begins with, as Excel writes it. Text that is no UTF-8
    is read as Windows-1252, which holds Latin-1; `guessed` says so, since there are others.

    Parameters
    ----------
    file : binary file
        The text. Who opened it closes it.
    packed : binary file, optional
        The compressed file that the text comes from.

    Attributes
    ----------
    head : bytes
        How it begins, as UTF-8.
    guessed : bool
        Whether the encoding was not told by the text, as far as it has been read.
    position : int
        How many bytes of it have been read; of the compressed file, where it is one.
    tail : bytes
        The end of what has been read, as UTF-8: 64 kB, or all.

    Examples
    --------
    >>> text = Utf8(io.BytesIO("town\nTromsø\n".encode("latin-1")))
    >>> text.read().decode(), text.guessed
    ('town\nTromsø\n', True)
    """

    def __init__(self, file: Any, *, packed: Any = None) -> None:
        self._file, self._packed = file, packed
        self._decoder: codecs.IncrementalDecoder | None = None
        self._settled = self.guessed = False
        self.position = 0
        self.tail = b""
        self.head = self._left = self._next()

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        if size < 0:
            return self.readall()
        # A part that is wanted whole is handed on without a copy.
        text = self._left or self._next()
        self._left = text[size:]
        return text[:size]

    def _next(self) -> bytes:
        """Return the next part of the text, empty at its end."""
        while block := self._file.read(_BLOCK):
            self.position = (
                self.position + len(block) if self._packed is None else self._packed.tell()
            )
            if not self._settled and not block.isascii():
                self._settle(block)
            text = block if self._decoder is None else self._decoder.decode(block).encode()
            if text:
                return self._ended(text)
        rest = "" if self._decoder is None else self._decoder.decode(b"", final=True)
        return self._ended(rest.encode())

    def _ended(self, text: bytes) -> bytes:
        self.tail = (self.tail + text[-_TAIL:])[-_TAIL:]
        return text

    def _settle(self, block: bytes) -> None:
        """Find out the encoding from the first part that is not the same in all of them."""
        self._settled = True
        if block.startswith(_WIDE):
            self._decoder = codecs.getincrementaldecoder("utf-16")()
            return
        try:
            codecs.getincrementaldecoder("utf-8")().decode(block)
        except UnicodeDecodeError:
            self._decoder, self.guessed = codecs.getincrementaldecoder(_WESTERN)(), True
