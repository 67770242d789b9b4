"""Is the built site whole? `python tools/check_site.py site` after `mkdocs build`.

Every link within the site leads to a page and a place on it, no page asks anything of the
network, and every public name of every public package stands in the reference. Needs
nothing but Python, and does not import the library.
"""

import ast
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SOURCE = Path(__file__).parents[1] / "src"
LOADED = {"img", "script", "link", "iframe", "source"}  # what a browser fetches unasked


class Page(HTMLParser):
    """The places of a page, and what it links to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the places and the links of a tag."""
        found = dict(attrs)
        self.places |= {value for key in ("id", "name") if (value := found.get(key))}
        for link in filter(None, (found.get("href"), found.get("src"))):
            (self.loaded if tag in LOADED else self.links).append(link)


def public_names() -> list[str]:
    """Return the names that `__all__` of each package lists, the library's own first."""
    names = []
    for file in [SOURCE / "scumble/__init__.py", *sorted(SOURCE.glob("scumble/*/__init__.py"))]:
        package = ".".join(file.parent.relative_to(SOURCE).parts)
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                names += [f"{package}.{name}" for name in ast.literal_eval(node.value)]
    errors = ast.parse((SOURCE / "scumble/errors.py").read_text(encoding="utf-8")).body
    return names + [f"scumble.errors.{node.name}" for node in errors if hasattr(node, "bases")]


def fault(link: str, file: Path, pages: dict[Path, Page]) -> str | None:
    """Return what is wrong with a link of a page."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        asked = link in pages[file].loaded and parts.scheme != "data"
        return "is loaded from the network" if asked else None
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    target = target / "index.html" if target.is_dir() else target
    if not target.exists():
        return "does not exist"
    place = unquote(parts.fragment)
    known = not place or target not in pages or place in pages[target].places
    return None if known else "is no place on that page"


def broken_links(pages: dict[Path, Page]) -> list[str]:
    """Return the links that lead nowhere, and what is loaded from elsewhere."""
    return [
        f"{file}: {link} {wrong}"
        for file, page in pages.items()
        for link in page.links + page.loaded
        if (wrong := fault(link, file, pages))
    ]


def main(site: Path) -> int:
    """Print what is wrong, and return how many things are."""
    files = [file for file in site.resolve().rglob("*.html") if file.name != "404.html"]
    pages = {file: Page(file.read_text(encoding="utf-8")) for file in files}
    wrong = broken_links(pages)
    for name in public_names():
        package = name.rsplit(".", 1)[0].removeprefix("scumble.")
        reference = site.resolve() / "reference" / package / "index.html"
        if reference not in pages or name not in pages[reference].places:
            wrong.append(f"{name}: expected it in the reference, got nothing; see mkdocs.yml")
    print(*wrong, f"{len(pages)} pages, {len(wrong)} things to mend", sep="\n")  # noqa: T201
    return len(wrong)


if __name__ == "__main__":
    sys.exit(min(main(Path(sys.argv[1])), 1))
