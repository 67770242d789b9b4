"""scikit-learn's own checks of an estimator, every one of them."""

import os
import subprocess
import sys

from sklearn.utils.estimator_checks import parametrize_with_checks

from scumble import DisguisedTreeClassifier
from scumble.mining import C45Classifier


@parametrize_with_checks(
    [
        DisguisedTreeClassifier(),
        DisguisedTreeClassifier(pruning=None, criterion="entropy"),
        C45Classifier(),
        C45Classifier(pruned=False, min_samples_leaf=1),
    ]
)
def test_check(estimator, check):
    check(estimator)


def test_the_check_that_is_skipped_unless_scipy_is_told_beforehand():
    code = (
        "from sklearn.utils.estimator_checks import check_array_api_input\n"
        "from scumble import DisguisedTreeClassifier\n"
        "check_array_api_input('tree', DisguisedTreeClassifier(), array_namespace='numpy',\n"
        "    expect_only_array_outputs=False)\n"
    )

    subprocess.run(
        [sys.executable, "-c", code], check=True, env=os.environ | {"SCIPY_ARRAY_API": "1"}
    )
