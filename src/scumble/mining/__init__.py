"""Trees and other models from reports."""

from scumble.mining._c45 import C45Classifier
from scumble.mining._classifier import DisguisedTreeClassifier
from scumble.mining._forest import DisguisedForestClassifier
from scumble.mining._from_tables import accuracy_on, grown_from, own_types
from scumble.mining._naive_bayes import DisguisedNaiveBayesClassifier
from scumble.mining._parties import Party, side_by_side
from scumble.mining._predicted_file import predict_file
from scumble.mining._score import DisguisedScore
from scumble.mining._summary import model_summary, selection_text
from scumble.mining._tree import Tree
from scumble.mining.export import Rule

__all__ = [
    "C45Classifier",
    "DisguisedForestClassifier",
    "DisguisedNaiveBayesClassifier",
    "DisguisedScore",
    "DisguisedTreeClassifier",
    "Party",
    "Rule",
    "Tree",
    "accuracy_on",
    "grown_from",
    "own_types",
    "model_summary",
    "predict_file",
    "selection_text",
    "side_by_side",
]
