"""Published tables and figures, reproduced, and studies of our own: rows first, then a picture."""

from scumble.experiments._as_figure_2 import Figure2Panel, as_figure_2, plot_as_figure_2
from scumble.experiments._as_figure_5 import as_figure_5, as_figure_5_claims, plot_as_figure_5
from scumble.experiments._as_figure_6 import as_figure_6, as_figure_6_claims, plot_as_figure_6
from scumble.experiments._as_table_1 import Table1Row, as_table_1
from scumble.experiments._claims import Claim
from scumble.experiments._demo import demonstrate
from scumble.experiments._experiment import PAPERS, Experiment, Finding, Measured
from scumble.experiments._generality import (
    GENERALITY_METHODS,
    GeneralityRow,
    generality,
    generality_cases,
)
from scumble.experiments._generality_case import GeneralityCase, Problem, Truths
from scumble.experiments._generality_summary import (
    Regret,
    generality_regrets,
    generality_table,
)
from scumble.experiments._ib_case import IB_METHODS, IbCase, IbRow, ib_cases
from scumble.experiments._ib_changes import (
    IbChangesRow,
    change_variance,
    changes_row,
    ib_changes,
)
from scumble.experiments._ib_figure_2 import IbFigure2, IbFigure2Row, ib_figure_2, ib_figure_2_tree
from scumble.experiments._ib_plot import plot_ib_similarity
from scumble.experiments._ib_similarity import ib_similarity
from scumble.experiments._ib_summary import IbFigures, ib_claims, ib_table_text
from scumble.experiments._ib_tables import IB_TABLES, IbTable, ib_table
from scumble.experiments._information_limit import (
    LimitRow,
    information_limit,
    information_limits,
    most_likely_accuracy,
)
from scumble.experiments._limit_plot import plot_information_limit
from scumble.experiments._lsl_table_1 import LslTable1Row, lsl_table_1, lsl_table_1_text
from scumble.experiments._lsl_table_2 import LslTable2Row, lsl_table_2, lsl_table_2_text
from scumble.experiments._mrr_accuracy import mrr_accuracy
from scumble.experiments._mrr_case import MRR_KEEPS, MRR_METHODS, MrrCase, MrrRow, mrr_cases
from scumble.experiments._mrr_claims import mrr_claims
from scumble.experiments._mrr_coins import (
    MrrCoinsRow,
    mrr_coins,
    mrr_coins_table,
    plot_mrr_coins,
)
from scumble.experiments._mrr_figures import mrr_figures, plot_mrr_figure, plot_mrr_figure_6
from scumble.experiments._mrr_summary import MrrAccuracies, mrr_table
from scumble.experiments._mrr_tables import BINARY_TABLES, binary_table
from scumble.experiments._reconstruction_study import (
    NOISES,
    SHAPES,
    StudyRow,
    distance_by_case,
    mean_ratio,
    reconstruction_study,
)
from scumble.experiments._registry import EXPERIMENTS, experiment
from scumble.experiments._reproduce import reproduce, run_experiment, write_reproduction
from scumble.experiments._reproduction import Reproduction
from scumble.experiments._reproduction_page import reproduction_page, write_reproduction_page
from scumble.experiments._tree_accuracy import (
    ALGORITHMS,
    PUBLISHED,
    TreeCase,
    TreeRow,
    tree_accuracy,
    tree_cases,
)
from scumble.experiments._tree_summary import Accuracies, Points, accuracy_table

__all__ = [
    "EXPERIMENTS",
    "PAPERS",
    "Experiment",
    "Finding",
    "Measured",
    "Reproduction",
    "experiment",
    "reproduce",
    "reproduction_page",
    "run_experiment",
    "write_reproduction",
    "write_reproduction_page",
    "IB_METHODS",
    "IB_TABLES",
    "IbCase",
    "IbChangesRow",
    "IbFigure2",
    "IbFigure2Row",
    "IbFigures",
    "IbRow",
    "IbTable",
    "change_variance",
    "changes_row",
    "demonstrate",
    "ib_cases",
    "ib_changes",
    "ib_claims",
    "ib_figure_2",
    "ib_figure_2_tree",
    "ib_similarity",
    "ib_table",
    "ib_table_text",
    "plot_ib_similarity",
    "MRR_KEEPS",
    "MRR_METHODS",
    "MrrCase",
    "MrrCoinsRow",
    "MrrRow",
    "mrr_accuracy",
    "mrr_cases",
    "mrr_claims",
    "mrr_coins",
    "mrr_coins_table",
    "mrr_figures",
    "plot_mrr_coins",
    "plot_mrr_figure",
    "plot_mrr_figure_6",
    "MrrAccuracies",
    "mrr_table",
    "BINARY_TABLES",
    "binary_table",
    "ALGORITHMS",
    "GENERALITY_METHODS",
    "NOISES",
    "PUBLISHED",
    "SHAPES",
    "Accuracies",
    "Claim",
    "Figure2Panel",
    "GeneralityCase",
    "GeneralityRow",
    "LimitRow",
    "LslTable1Row",
    "LslTable2Row",
    "Points",
    "Problem",
    "Regret",
    "StudyRow",
    "Table1Row",
    "TreeCase",
    "TreeRow",
    "Truths",
    "accuracy_table",
    "as_figure_2",
    "as_figure_5",
    "as_figure_5_claims",
    "as_figure_6",
    "as_figure_6_claims",
    "as_table_1",
    "distance_by_case",
    "generality",
    "generality_cases",
    "generality_regrets",
    "generality_table",
    "information_limit",
    "information_limits",
    "lsl_table_1",
    "lsl_table_1_text",
    "lsl_table_2",
    "lsl_table_2_text",
    "mean_ratio",
    "most_likely_accuracy",
    "plot_as_figure_2",
    "plot_as_figure_5",
    "plot_as_figure_6",
    "plot_information_limit",
    "reconstruction_study",
    "tree_accuracy",
    "tree_cases",
]
