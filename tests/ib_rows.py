"""Made-up rows of noise that a tree guides."""

from dataclasses import asdict

from scumble.experiments import IB_METHODS, IbRow, ib_cases

RECALLS = dict(
    zip(IB_METHODS, (0.85, 0.8, 0.4, 0.9, 0.95, 0.85, 0.9, 0.95, 0.85, 0.95, 0.6), strict=True)
)


def as_claimed(case):
    """Return the recall of a method, a little different in each repeat."""
    return RECALLS[case.method] + 0.001 * case.repeat


def rows_of(recall=as_claimed, *, same_root=True, moved=0, **grid):
    """Return rows whose recall, and soft Jaccard above it, are what a function says."""
    given = {"subsets": (1, 2, 3), "repeats": (1, 2), **grid}
    return [
        IbRow(
            **asdict(case),
            recall=recall(case),
            precision=0.7,
            soft_jaccard=(1 + recall(case)) / 2,
            agreement=0.95,
            attributes=0.75,
            same_root=same_root,
            leaves=6,
            original_leaves=7,
            changed=0,
            moved=moved,
        )
        for case in ib_cases(**given)
    ]
