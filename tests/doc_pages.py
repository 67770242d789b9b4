"""The pages of the documentation, and the blocks of code that they hold."""

import re
from dataclasses import dataclass
from pathlib import Path

import scumble

ROOT = Path(scumble.__file__).parents[2]
DOCS = ROOT / "docs"
# The reference holds no code of its own: its examples are those of the docstrings.
PAGES = sorted(page for page in DOCS.rglob("*.md") if page.parent.name != "reference")
# `<!-- not run: why -->` on the line above a block says that it takes too long for a test.
_BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<why>[^>]+) -->\n)?```(?P<language>\w+)\n(?P<code>.*?)^```",
    flags=re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Block:
    """A block of code; `why` it is not run, if it is not."""

    language: str
    code: str
    why: str | None


def name_of(page):
    return page.relative_to(DOCS).as_posix()


def blocks_of(page, *, language):
    found = [Block(**match.groupdict()) for match in _BLOCK.finditer(page.read_text())]
    return [block for block in found if block.language == language]


def pages_with(language):
    return [page for page in PAGES if blocks_of(page, language=language)]
