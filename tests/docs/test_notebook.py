"""The notebook runs top to bottom, and is kept without what it printed."""

import json

import matplotlib.pyplot as plt
from doc_pages import ROOT

NOTEBOOK = json.loads((ROOT / "examples" / "tour.ipynb").read_text())
CODE = [cell for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def test_the_notebook_runs_top_to_bottom(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}

    for place, cell in enumerate(CODE, 1):
        exec(compile("".join(cell["source"]), f"tour.ipynb, cell {place}", "exec"), names)

    plt.close("all")
    assert "age" in capsys.readouterr().out


def test_the_notebook_is_kept_without_outputs():
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in CODE)


def test_what_the_notebook_links_to_exists():
    text = json.dumps(NOTEBOOK)

    for link in ("../docs/tutorial.md", "../docs/known-limits.md"):
        assert link in text
        assert (ROOT / "examples" / link).exists()
