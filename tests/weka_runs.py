"""Weka, run on a table, where Java and Weka are present.

The environment variable WEKA_JAR names the jar (with what it needs beside it, separated as in a
class path); else the one of Debian's package is looked for.
"""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

DEBIAN = Path("/usr/share/java/weka.jar")


def class_path():
    """Return where Weka is, or skip the test."""
    given = os.environ.get("WEKA_JAR")
    if given is None and DEBIAN.exists():
        given = str(DEBIAN)
    if given is None:
        pytest.skip("Weka was not found: set WEKA_JAR to its jar")
    if shutil.which("java") is None:
        pytest.skip("Java was not found")
    return given


def write_arff(path, table, kinds):
    """Write a pandas table as Weka reads it; kinds are "numeric" or lists of values."""
    lines = ["@relation table"]
    for name, kind in zip(table.columns, kinds, strict=True):
        lines.append(f"@attribute {name} {kind if kind == 'numeric' else _listed(kind)}")
    rows = table.astype(object).to_numpy().tolist()
    lines += ["@data", *(",".join("?" if v != v else str(v) for v in row) for row in rows)]
    path.write_text("\n".join(lines) + "\n")


def run_weka(arguments, folder):
    """Return what Weka prints when a class of its own is run in a folder."""
    command = ["java", "-Djava.awt.headless=true", "-cp", class_path(), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def run_classifier(classifier, *options, folder):
    """Return what Weka prints of a classifier, trained and tested in a folder."""
    return run_weka([classifier, "-t", "train.arff", "-T", "test.arff", *options], folder)


def write_coded_arff(path, X, y, *, like):
    """Write attributes and classes; what another table does not have is missing."""
    columns, kinds = {}, []
    for name in X.columns:
        if pd.api.types.is_numeric_dtype(like[name]):
            columns[f"'{name}'"] = X[name].astype(float).tolist()
            kinds.append("numeric")
        else:
            codes = {v: f"v{place}" for place, v in enumerate(sorted(like[name].dropna().unique()))}
            columns[f"'{name}'"] = [codes.get(v, "?") for v in X[name].tolist()]
            kinds.append(list(codes.values()))
    table = pd.DataFrame({**columns, "class": y})
    write_arff(path, table, [*kinds, np.unique(y).tolist()])


def _listed(values):
    return "{" + ",".join(values) + "}"
