"""The page on the audit: its code runs."""

import re
from pathlib import Path

import scumble

PAGE = (Path(scumble.__file__).parents[2] / "docs" / "audit.md").read_text()


def test_the_code_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # it writes a page
    names = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
        exec(compile(code, "docs/audit.md", "exec"), names)

    assert "Widen the noise of age" in capsys.readouterr().out
