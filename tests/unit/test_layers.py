"""Each layer imports only what stands below it."""

import ast
from pathlib import Path

import scumble

ROOT = Path(scumble.__file__).parent

# Top to bottom, as in ARCHITECTURE.md; layers on one line do not import each other.
LAYERS = [
    {"__main__"},
    {"cli"},
    {"experiments"},
    {"report"},
    {"collect"},
    {"testing"},
    {"release"},
    {"audit"},
    {"treatments"},
    {"mining"},
    {"binarise"},
    {"population"},
    {"inversion"},
    {"reconstruction"},
    {"engines"},
    {"_disguise"},
    {"mechanisms", "datasets", "declared", "relevance"},
    {"schema", "tables"},
    {"dates"},
    {"entropy", "columns", "atomic"},
    {"errors", "wording", "progress"},
]
LAYERS.insert(0, {"scumble itself"})
HEIGHT = {name: height for height, names in enumerate(reversed(LAYERS)) for name in names}


def _imports(path: Path) -> set[str]:
    """Return the layers that a file imports, wherever in the file it does."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules = [node.module]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        found |= {m.split(".")[1] for m in modules if m.startswith("scumble.")}
        found |= {"scumble itself" for m in modules if m == "scumble"}
    return found


def _violations(root: Path) -> list[str]:
    found = []
    for path in root.rglob("*.py"):
        own = path.relative_to(root).with_suffix("").parts[0]
        if own == "__init__":
            continue
        for other in _imports(path):
            if other != own and HEIGHT[other] >= HEIGHT[own]:
                found.append(f"{path.relative_to(root)} imports {other}")
    return found


def test_imports_point_downwards():
    assert _violations(ROOT) == []


def test_an_import_that_points_upwards_is_found(tmp_path):
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "_wrong.py").write_text("def f():\n    import scumble.mechanisms\n")
    (tmp_path / "schema" / "_round.py").write_text("from scumble import disguise\n")

    assert sorted(_violations(tmp_path)) == [
        "schema/_round.py imports scumble itself",
        "schema/_wrong.py imports mechanisms",
    ]


def test_every_module_stands_in_a_layer():
    names = {p.stem for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").exists()}

    assert names - {"__init__"} <= set(HEIGHT)
