"""Every experiment by name."""

from collections.abc import Mapping
from types import MappingProxyType

from scumble.errors import SpecificationError
from scumble.experiments._experiment import Experiment
from scumble.experiments._runs_as import AS_EXPERIMENTS
from scumble.experiments._runs_ib import IB_EXPERIMENTS
from scumble.experiments._runs_lsl import LSL_EXPERIMENTS
from scumble.experiments._runs_mrr import MRR_EXPERIMENTS
from scumble.experiments._runs_own import OWN_EXPERIMENTS
from scumble.schema._named import suggestion

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        each.name: each
        for each in (
            *AS_EXPERIMENTS,
            *MRR_EXPERIMENTS,
            *LSL_EXPERIMENTS,
            *IB_EXPERIMENTS,
            *OWN_EXPERIMENTS,
        )
    }
)
"""Every experiment by name, in the order of the papers."""


def experiment(name: str) -> Experiment:
    """Return an experiment by its name.

    Examples
    --------
    >>> from scumble.experiments import experiment
    >>> experiment("as-figure-5").duration
    '3 min'
    >>> experiment("as-tabel-1")
    Traceback (most recent call last):
    scumble.errors.SpecificationError: experiment: unknown 'as-tabel-1'; did you mean 'as-table-1'?
    """
    if name not in EXPERIMENTS:
        raise SpecificationError(f"experiment: unknown {name!r}{suggestion(name, EXPERIMENTS)}")
    return EXPERIMENTS[name]
