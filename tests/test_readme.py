"""What the README shows runs as it stands."""

import re
from pathlib import Path


def test_the_examples_of_the_readme_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).parents[1] / "README.md").read_text()
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))
    names: dict[str, object] = {"__name__": "readme"}
    exec(code, names)
    world = names["world"]
    assert world.time == 7.0 and world.gap < 1e-7  # type: ignore[attr-defined]
    assert "degrees of freedom" in capsys.readouterr().out
    assert (tmp_path / "pendulum.json").exists()
