"""What people do with a tree: read it, draw it, ship it."""

from scumble.mining.export._draw import draw_tree
from scumble.mining.export._file import Model, model_from_json, model_to_json
from scumble.mining.export._graphviz import tree_dot
from scumble.mining.export._rules import Rule, tree_rules
from scumble.mining.export._text import tree_text

__all__ = [
    "Model",
    "Rule",
    "draw_tree",
    "model_from_json",
    "model_to_json",
    "tree_dot",
    "tree_rules",
    "tree_text",
]
