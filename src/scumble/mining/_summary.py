"""What there is to say of a fitted tree."""

from typing import Any

from scumble.mining._classifier import DisguisedTreeClassifier


def model_summary(tree: DisguisedTreeClassifier) -> dict[str, Any]:
    """Return what there is to say of a fitted tree, as plain values."""
    return {
        "method": tree.method,
        "classes": tree.classes_.tolist(),
        "leaves": tree.get_n_leaves(),
        "depth": tree.get_depth(),
        "specification": None if tree.spec is None else tree.spec.digest,
        "importances": {
            str(name): float(share)
            for name, share in zip(tree.feature_names_in_, tree.feature_importances_, strict=True)
        },
        "rules": [str(rule) for rule in tree.rules()],
        "selection": [
            {"name": own.name, "score": float(own.score), "chosen": bool(own.chosen)}
            for own in getattr(tree, "selection_", [])
        ],
    }


def selection_text(tree: DisguisedTreeClassifier) -> list[str]:
    """Return the learners that were compared, a line for each; none for other methods."""
    found = getattr(tree, "selection_", [])
    if not found:
        return []
    lines = ["", "Learners compared on reports that were held out (log-likelihood):"]
    for own in found:
        mark = "*" if own.chosen else " "
        lines.append(f"{mark} {own.name:<22}{own.score:9.4f}  {own.why}".rstrip())
    return lines
