"""The page of reproductions: complete, and what the measurements beside it say."""

from pathlib import Path

import pytest

import scumble
from scumble.experiments import EXPERIMENTS, reproduction_page
from scumble.experiments._reproduction_page import reproductions_in

DOCS = Path(scumble.__file__).parents[2] / "docs"
PAGE = (DOCS / "reproduction.md").read_text()


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_is_on_the_page_with_figures(name):
    assert f"### {name}\n" in PAGE
    assert name in reproductions_in(DOCS / "reproduction.json")


def test_the_page_is_not_written_by_hand():
    assert reproduction_page(reproductions_in(DOCS / "reproduction.json")) == PAGE


def test_a_look_is_called_a_look():
    for name, found in reproductions_in(DOCS / "reproduction.json").items():
        section = PAGE.partition(f"### {name}\n")[2].partition("###")[0]
        assert ("Look: " if found.fast else "Full run; ") in section
        assert f"{found.date}, version {found.version}" in section
