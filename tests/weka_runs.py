"""Running Weka, where Java and Weka are present.

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
    given = os.environ.get("WEKA_JAR")
    if given is None and DEBIAN.exists():
        given = str(DEBIAN)
    if given is None:
        pytest.skip("Weka was not found: set WEKA_JAR to its jar")
    if shutil.which("java") is None:
        pytest.skip("Java was not found")
    return given


def weka(classifier, *options, folder):
    """Return what Weka prints of a classifier, trained and tested in a folder."""
    command = ["java", "-Djava.awt.headless=true", "-cp", class_path(), classifier]
    command += ["-t", "train.arff", "-T", "test.arff", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def write_arff(path, X, y, *, like):
    """Write a table; values and classes that another one does not have are missing."""
    lines, columns = ["@relation table"], []
    for name in X.columns:
        if pd.api.types.is_numeric_dtype(like[name]):
            lines.append(f"@attribute '{name}' numeric")
            columns.append(["?" if v != v else repr(float(v)) for v in X[name].tolist()])
        else:
            codes = {v: f"v{place}" for place, v in enumerate(sorted(like[name].dropna().unique()))}
            lines.append(f"@attribute '{name}' {{{','.join(codes.values())}}}")
            columns.append([codes.get(v, "?") for v in X[name].tolist()])
    lines.append(f"@attribute class {{{','.join(np.unique(y))}}}")
    lines += ["@data", *(",".join(row) for row in zip(*columns, y, strict=True))]
    Path(path).write_text("\n".join(lines) + "\n")
