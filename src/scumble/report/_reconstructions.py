"""All attributes of a table of reports, reconstructed and drawn."""

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scumble.atomic import write_whole
from scumble.errors import ReconstructionError, TableError
from scumble.progress import bar
from scumble.reconstruction import Reconstruction, reconstruct
from scumble.schema import Specification
from scumble.schema._named import column_suggestion

_PICTURES = (".png", ".svg", ".pdf")


def reconstruct_all(
    reports: Any,
    spec: Specification,
    *,
    attributes: Sequence[str] = (),
    method: Any = "auto",
    progress: bool = False,
) -> dict[str, Reconstruction]:
    """Reconstruct attributes of a pyarrow Table of reports.

    Parameters
    ----------
    reports : pyarrow Table
        The reports.
    spec : Specification
        What disguised them.
    attributes : sequence of str
        Which ones; by default all that are disguised.
    method : str
        As for `scumble.reconstruct`.
    progress : bool
        Whether to show how far the work has come.
    """
    chosen = list(attributes) or [name for name in spec if spec[name].mechanism is not None]
    if not chosen:
        raise ReconstructionError(
            "attribute: the specification disguises none; name those that are told in clear"
        )
    domains = {name: spec.domain(name) for name in chosen}
    for name in chosen:
        if name not in reports.column_names:
            raise TableError(
                f"reports: no column {name!r}{column_suggestion(name, reports.column_names)}"
            )
    found = {}
    with bar("reconstruct", shown=progress, total=len(domains), unit=" attributes") as done:
        for name, domain in domains.items():
            found[name] = reconstruct(reports[name], domain, method=method)
            done.update()
    return found


def save_reconstructions(found: Mapping[str, Reconstruction], path: str | os.PathLike[str]) -> None:
    """Draw reconstructions, one below the other, to a .png, .svg or .pdf file."""
    from matplotlib.figure import Figure

    ending = Path(path).suffix.lower()
    if ending not in _PICTURES:
        raise TableError(
            f"{Path(path).name}: expected a picture whose name ends in {', '.join(_PICTURES)}"
        )
    figure = Figure(figsize=(7, 3.2 * len(found)), layout="constrained")
    axes = figure.subplots(len(found), squeeze=False)[:, 0]
    for (name, own), ax in zip(found.items(), axes, strict=True):
        own.plot(ax=ax)
        ax.set_xlabel(name, parse_math=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=ending[1:], dpi=120)
    write_whole(path, buffer.getvalue())
