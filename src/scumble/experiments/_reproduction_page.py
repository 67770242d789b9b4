"""One page with every experiment: the paper's figures beside those last measured."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from scumble.atomic import whole_files
from scumble.errors import TableError
from scumble.experiments._experiment import PAPERS, Experiment, Finding
from scumble.experiments._registry import EXPERIMENTS
from scumble.experiments._reproduction import Reproduction

_HEAD = """\
# Reproduction

Every table and figure of the four papers, and the studies of our own: what the paper has, what was
measured last, and whether the two agree. The page is written by the command

    scumble reproduce --all --page docs/reproduction.md

and not by hand. That takes over an hour: name experiments to measure them anew one by one, or
add `--full-within 2` for a look at what takes longer than two minutes. `scumble reproduce --list`
shows what there is, `scumble reproduce as-figure-5 --output folder` writes rows (CSV, JSON) and
the picture.

**How to read it.** *Full*: as many repeats and records as the paper or our own pages have. *Look*:
fewer of them, as stated, done in seconds; its figures are rough, and a verdict may differ from that
of a full run, to which each section links. Differences of accuracies are in percentage points, of
several cases the one least in favour of the claim; ± is the spread over seeds (AS) or twice the
standard error (MRR, IB). Where a paper gives words only, how they are read is stated. *Holds* is
said of claims that the paper does not make. *A toss*: the spread could turn the verdict.
*No verdict*: there is nothing to compare with.
"""


def reproduction_page(found: Mapping[str, Reproduction]) -> str:
    """Return the page as Markdown; what was not run is listed as such.

    Parameters
    ----------
    found : mapping of str to Reproduction
        By the name of the experiment.

    Examples
    --------
    >>> from scumble.experiments import reproduction_page, run_experiment
    >>> page = reproduction_page({"as-table-1": run_experiment("as-table-1")})
    >>> "| Gaussian, 99.9 % confidence | 6.8 sigma | 6.581 sigma | **does not agree** |" in page
    True
    """
    lines = [_HEAD, *_overview(found)]
    for paper, title in PAPERS.items():
        lines += ["", f"## {title}"]
        for each in EXPERIMENTS.values():
            if each.paper == paper:
                lines += _section(each, found.get(each.name))
    return "\n".join(lines) + "\n"


def write_reproduction_page(
    path: str | os.PathLike[str], found: Iterable[Reproduction]
) -> dict[str, Reproduction]:
    """Write the page anew with these results and those that it has already.

    The findings stand beside the page in a file of JSON, so that experiments can be run one by
    one. A look does not take the place of a full run.

    Parameters
    ----------
    path : path
        The page, which ends in ".md".
    found : iterable of Reproduction
        The new results.

    Returns
    -------
    dict of str to Reproduction
        All results on the page.

    Raises
    ------
    TableError
        If the file beside the page is none of this kind.

    Examples
    --------
    >>> import tempfile
    >>> from scumble.experiments import run_experiment, write_reproduction_page
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     page = Path(folder, "reproduction.md")
    ...     list(write_reproduction_page(page, [run_experiment("as-table-1")]))
    ['as-table-1']
    """
    page = Path(path)
    beside = page.with_suffix(".json")
    results = reproductions_in(beside)
    for each in found:
        before = results.get(each.name)
        if before is None or before.fast or not each.fast:
            results[each.name] = each
    ordered = {name: results[name] for name in EXPERIMENTS if name in results}
    kept = [{k: v for k, v in each.to_dict().items() if k != "rows"} for each in ordered.values()]
    with whole_files(page, beside) as (text, data):
        text.write(reproduction_page(ordered).encode())
        data.write((json.dumps(kept, indent=1, ensure_ascii=False) + "\n").encode())
    return ordered


def check_page(path: str | os.PathLike[str]) -> None:
    """Raise a TableError where a page cannot be written, before hours are spent on its figures.

    Examples
    --------
    >>> from scumble.experiments._reproduction_page import check_page
    >>> check_page("no/such.md")
    Traceback (most recent call last):
    scumble.errors.TableError: no/such.md: expected its folder to exist, got none; make it first
    """
    page = Path(path)
    if not page.parent.is_dir():
        raise TableError(f"{page}: expected its folder to exist, got none; make it first")
    if page.suffix != ".md":
        raise TableError(f"{page}: expected a page that ends in .md, got {page.suffix or 'none'}")
    reproductions_in(page.with_suffix(".json"))


def reproductions_in(path: str | os.PathLike[str]) -> dict[str, Reproduction]:
    """Return the results in the file beside a page, none if there is no such file.

    Examples
    --------
    >>> from scumble.experiments._reproduction_page import reproductions_in
    >>> reproductions_in("no such file.json")
    {}
    """
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8"))
        results = [Reproduction.from_dict(each) for each in given]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError):  # a TableError is a ValueError
        raise TableError(
            f"{path}: expected the results beside a page of reproductions, got something else; "
            "remove it or name another page"
        ) from None
    return {each.name: each for each in results}


def _overview(found: Mapping[str, Reproduction]) -> Iterator[str]:
    yield "| experiment | shows | a full run | measured | agree or hold |"
    yield "|---|---|---|---|---|"
    for each in EXPERIMENTS.values():
        result = found.get(each.name)
        measured, score = ("not yet", "") if result is None else (_measured(result), result.score)
        cells = (f"[{each.name}](#{each.name})", each.what, each.duration, measured, score)
        yield f"| {' | '.join(cells)} |"


def _measured(result: Reproduction) -> str:
    return f"{'look' if result.fast else 'full'}, {result.date}"


def _section(each: Experiment, result: Reproduction | None) -> Iterator[str]:
    yield f"\n### {each.name}\n"
    yield f"{each.what}. {_how(each, result)}"
    if result is not None:
        yield "\n| claim or figure | paper | ours | agrees? | where, or by what |"
        yield "|---|---|---|---|---|"
        yield from (_line(finding) for finding in result.findings)
    if each.picture:
        yield f"\n![{each.what}, in a full run]({each.picture})"
    if each.why:
        differs = result is not None and any(each.agrees is False for each in result.findings)
        yield f"\n*{'Why' if differs else 'Note'}:* {each.why}"


def _how(each: Experiment, result: Reproduction | None) -> str:
    name = each.page.partition("#")[0]
    linked = f" Full measurements: [{name}]({each.page})." if name else ""
    if result is None:
        return "Not measured yet." + linked
    way = f"Look: {each.look}" if result.fast else "Full run"
    return f"{way}; {result.date}, version {result.version}.{linked}"


def _line(finding: Finding) -> str:
    verdict = f"**{finding.verdict}**" if finding.agrees is False else finding.verdict
    cells = (finding.claim, finding.paper or "-", finding.ours, verdict, finding.note)
    # A bar would end the cell.
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
