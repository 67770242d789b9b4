"""The code of every page runs, top to bottom; what a page shows of a file is valid."""

import ast

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from doc_pages import blocks_of, name_of, pages_with

from scumble import Specification

# What must be printed somewhere on a page.
PRINTED = {
    "audit.md": "Widen the noise of age",
    "how-to/choose-a-level-of-noise.md": "square-wave",
    "how-to/release-a-table.md": "discretize",
    "tutorial.md": "nothing fails",
}


def _people():
    rng = np.random.default_rng(0)
    rich = rng.random(1000) < 0.4
    school = np.where(rng.random(1000) < 0.3 + 0.4 * rich, "long", "short")
    age = rng.integers(20, 60, 1000) + 20 * rich
    income = np.where(rich, "high", "low")
    return pd.DataFrame({"age": age, "education": school, "income": income})


@pytest.mark.parametrize("page", pages_with("python"), ids=name_of)
def test_the_code_of_a_page_runs(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # pages write files
    _people().to_csv("people.csv", index=False)  # the reader's own
    names = {}

    for block in blocks_of(page, language="python"):
        code = block.code if block.why is None else _imports(block.code)
        exec(compile(code, name_of(page), "exec"), names)

    plt.close("all")
    assert PRINTED.get(name_of(page), "") in capsys.readouterr().out


def _imports(code):
    """Return the part of a block that is run even if the rest takes too long."""
    kept = [node for node in ast.parse(code).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(map(ast.unparse, kept))


@pytest.mark.parametrize("page", pages_with("toml"), ids=name_of)
def test_a_specification_that_a_page_shows_is_valid(page, tmp_path):
    for block in blocks_of(page, language="toml"):
        (tmp_path / "a.toml").write_text(block.code)

        assert len(Specification.from_toml(tmp_path / "a.toml"))


def test_few_blocks_are_not_run():
    skipped = [
        name_of(page)
        for page in pages_with("python")
        for block in blocks_of(page, language="python")
        if block.why is not None
    ]

    assert set(skipped) <= {
        "limits.md", "noise-guided-by-a-tree.md", "randomized-response.md", "trees.md",
    }  # fmt: skip
