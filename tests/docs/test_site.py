"""The site is complete: every page in the navigation, every public name in the reference."""

import ast
import importlib
import re
from pathlib import Path

import pytest
from doc_pages import DOCS, ROOT

import scumble

CONFIGURATION = (ROOT / "mkdocs.yml").read_text()
NAVIGATION = CONFIGURATION.split("\nnav:\n")[1].split("\n\n")[0]
NAVIGATED = re.findall(r"[\w/-]+\.md", NAVIGATION)
SOURCE = Path(scumble.__file__).parent
# A package is public if it says what it exports.
PACKAGES = ["scumble"] + [
    f"scumble.{file.parent.name}"
    for file in sorted(SOURCE.glob("*/__init__.py"))
    if "\n__all__ =" in file.read_text()
]


def test_every_page_is_in_the_navigation_once():
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]

    assert sorted(NAVIGATED) == sorted(pages)


@pytest.mark.parametrize("package", [*PACKAGES, "scumble.errors"])
def test_a_package_has_a_page_of_the_reference(package):
    page = DOCS / "reference" / f"{package.removeprefix('scumble.')}.md"
    index = (DOCS / "reference" / "index.md").read_text()

    assert page.read_text() == f"# {package}\n\n::: {package}\n"  # no option: no name left out
    assert f"[`{package}`]({page.name})" in index


def _documented(body):
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            yield node.name
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


@pytest.fixture(scope="module")
def documented():
    files = SOURCE.rglob("*.py")
    return {name for file in files for name in _documented(ast.parse(file.read_text()).body)}


@pytest.mark.parametrize("package", PACKAGES)
def test_a_public_name_has_a_text_that_the_reference_shows(package, documented):
    # The reference is read off the source, and leaves out what has no docstring there.
    module = importlib.import_module(package)

    assert set(module.__all__) - documented == set()


def test_nothing_that_is_public_is_filtered_out():
    assert 'filters: ["!^_"]' in CONFIGURATION
    assert "members:" not in CONFIGURATION.replace("inherited_members:", "")


def test_the_start_page_says_what_the_readme_says():
    readme, index = (ROOT / "README.md").read_text(), (DOCS / "index.md").read_text()

    claim = readme.split("![")[0].strip()
    commands = re.search(r"```console\n.*?```", readme, flags=re.DOTALL).group()
    assert index.startswith(claim)
    assert commands in index


def test_a_build_stops_at_a_warning_and_asks_nothing_of_the_network():
    makefile = (ROOT / "Makefile").read_text()

    assert "mkdocs build --strict\n" in makefile  # --quiet would drop the warnings uncounted
    assert "font: false" in CONFIGURATION
    for name in ("omitted_files", "absolute_links", "unrecognized_links", "anchors"):
        assert f"  {name}: warn" in CONFIGURATION
