"""Every table and figure is in the registry, runs, and gives results of one shape."""

import importlib
import inspect
import json
import re
from pathlib import Path

import pytest
from matplotlib import pyplot

from scumble import experiments
from scumble.errors import DatasetError, SpecificationError
from scumble.experiments import (
    EXPERIMENTS,
    PAPERS,
    Claim,
    Finding,
    Points,
    Reproduction,
    experiment,
    mrr_claims,
    mrr_figures,
)
from scumble.experiments import run_experiment as run

FOLDER = Path(experiments.__file__).parent
DOCS = FOLDER.parents[2] / "docs"
# As little as shows that it runs.
_COINS = {"seeds": (1, 2), "keeps": (0.3, 0.7), "groups": (1, 2)}
TINY = {
    "as-table-1": {},
    "as-figure-2": {"n": 2_000, "seed": 1},
    "as-figure-5": {"functions": (1,), "seeds": (1,), "n": 500},
    "as-figure-6": {"functions": (1,), "seeds": (1,), "n": 500},
    "mrr-figure-3": {"seeds": (1,), "keeps": (0.9,), "groups": (1,)},
    "mrr-figure-4": _COINS,
    "mrr-figure-5": _COINS,
    "mrr-figure-6": {"seeds": (1,), "keeps": (0.7,), "groups": (1, 2)},
    "mrr-tables": {**_COINS, "datasets": ("votes", "breast cancer")},
    "mrr-coins": {"datasets": ("votes",), "keeps": (0.7,), "groups": (1,), "seeds": (1,)},
    "lsl-table-1": {},
    "lsl-table-2": {"splits": 2},
    "ib-similarity": {"datasets": ("boston",), "subsets": (1,), "repeats": (1,)},
    "ib-changes": {"datasets": ("boston",), "subsets": (1,), "draws": 20},
    "ib-linkage": {"datasets": ("boston",), "subsets": (1,), "repeats": (1,)},
    "ib-figure-2": {"subsets": (1, 2)},
    "generality": {
        "names": ("skewed F1",),
        "most_records": 500,
        "methods": ("byclass", "likelihood"),
    },
    "information-limit": {"functions": (1,), "noises": ("uniform",), "privacies": (1.0,)},
    "reconstruction-study": {
        "shapes": ("bell",),
        "noises": ("uniform 100%",),
        "sizes": (1_000,),
        "seeds": (1,),
    },
}


def _rows_functions():
    """Yield the public functions that return rows, of every file of a paper."""
    for path in sorted(FOLDER.glob("_*.py")):
        if not re.match(r"_(as|mrr|lsl|ib)_", path.name):
            continue
        module = importlib.import_module(f"scumble.experiments.{path.stem}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            returns = str(function.__annotations__.get("return"))
            if (
                function.__module__ == module.__name__
                and name in experiments.__all__
                and re.search(r"list\[[\w.]*(Row|Panel)\]|IbFigure2\b", returns)
            ):
                yield name


def test_every_function_of_a_paper_that_returns_rows_is_shown_by_an_experiment():
    functions = set(_rows_functions())

    assert {"as_table_1", "as_figure_2", "mrr_coins", "lsl_table_2", "ib_figure_2"} <= functions
    assert functions <= {name for each in EXPERIMENTS.values() for name in each.shows}


def test_an_experiment_shows_functions_that_there_are():
    for each in EXPERIMENTS.values():
        assert each.shows
        assert all(callable(getattr(experiments, name)) for name in each.shows)


def test_names_are_unique_and_of_a_paper():
    listed = [
        each.name
        for module in ("as", "mrr", "lsl", "ib", "own")
        for each in getattr(
            importlib.import_module(f"scumble.experiments._runs_{module}"),
            f"{module.upper()}_EXPERIMENTS",
        )
    ]

    assert listed == list(EXPERIMENTS)
    for each in EXPERIMENTS.values():
        assert each.paper in PAPERS
        assert each.paper == "own" or each.name.startswith(f"{each.paper.lower()}-")


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(SpecificationError, match="did you mean 'as-figure-5'"):
        experiment("as_figure_5")


@pytest.mark.parametrize("each", EXPERIMENTS.values(), ids=lambda each: each.name)
def test_an_experiment_says_what_a_look_leaves_out(each):
    assert bool(each.look) == (each.fast != each.full)


@pytest.mark.parametrize("each", EXPERIMENTS.values(), ids=lambda each: each.name)
def test_the_page_with_full_measurements_has_that_section(each):
    if each.page:
        page, _, section = each.page.partition("#")
        headings = re.findall(r"^#+ (.*)$", (DOCS / page).read_text(), flags=re.MULTILINE)
        assert not section or section in [_anchor(heading) for heading in headings]


@pytest.mark.parametrize("each", EXPERIMENTS.values(), ids=lambda each: each.name)
def test_the_picture_of_a_full_run_is_there(each):
    assert not each.picture or (DOCS / each.picture).is_file()


def _anchor(heading):
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_gives_a_result_of_the_uniform_shape(name):
    try:
        found = run(name, settings=TINY[name])
    except DatasetError:
        pytest.skip("a data set was not found")

    assert found.fast
    assert found.rows
    assert all(row.keys() == found.rows[0].keys() for row in found.rows)
    assert all(
        value is None or type(value) in (str, int, float, bool)
        for row in found.rows
        for value in row.values()
    )
    assert found.findings
    assert all(type(each.agrees) in (bool, type(None)) for each in found.findings)
    again = Reproduction.from_dict(json.loads(found.to_json()))
    assert again.findings == found.findings
    assert len(found.to_csv().splitlines()) == len(found.rows) + 1
    if found.draw is not None:
        figure = found.draw()
        assert figure.axes
        pyplot.close(figure)


def test_a_finding_tells_the_claims_of_a_paper_from_ours():
    assert Finding("x", "more than 0", "1", agrees=True).verdict == "agrees"
    assert Finding("x", "", "1", agrees=True).verdict == "holds"
    assert Finding("x", "", "1", agrees=False).verdict == "does not hold"
    assert Finding("x", "3", "1").verdict == "no verdict"


def test_a_claim_that_its_spread_could_turn_is_a_toss():
    claim = Claim.by(1.0, statement="s", paper="more than 0", ours=Points(1, 2), where="w")
    unasked = Claim.by(1.0, statement="s", paper="not asked", ours=Points(1, 0.5), where="w")

    assert Finding.of(claim).verdict == "agrees, a toss"
    assert Finding.of(unasked).verdict == "holds"


def test_the_claims_of_the_figures_are_all_on_them():
    """Nothing of what the paper says is lost on the way from claims to experiments."""
    try:
        rows = mrr_figures(methods=["clean", "inversion"], **TINY["mrr-tables"])
    except DatasetError:
        pytest.skip("a data set was not found")
    names = ("mrr-figure-4", "mrr-figure-5", "mrr-tables")
    shown = {each.claim for name in names for each in run(name, settings=TINY[name]).findings}

    assert {claim.statement for claim in mrr_claims(rows)} <= shown
