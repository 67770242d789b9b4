"""Seconds until `import scumble` returns, in a fresh process."""

import subprocess
import sys

from benchmarks._clock import Result, best


def run() -> list[Result]:
    """Return the import time less that of an empty interpreter."""

    def start(code: str) -> float:
        return best(lambda: subprocess.run([sys.executable, "-c", code], check=True), repeats=5)

    return [Result("import scumble", start("import scumble") - start("pass"), "s", 0.5)]
