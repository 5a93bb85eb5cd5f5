"""Type checkers and editors see the door as it is: the stub is up to date, and wrong calls are errors."""

import subprocess
import sys
from pathlib import Path

from tools.stubs import STUB, stub

ROOT = Path(__file__).parents[2]
USER = """
import numpy as np
import tinkerdyne as td

world = td.World(max_step=1e-3)
rod = world.add(td.Rod("upper", length=2.0))
world.add(td.gravity(9.81), td.connect(rod.end1, (0, 0, 0)))
world.add(td.spring(rod.end2, np.array([0.0, 0.0, 1.0]), stiffness=3))
hinge = td.join(td.pin, None, rod, at=(0, 0, 0))
length: float = rod.length
turn: td.Item = hinge.turn
world.show(traces=[rod.end2], controls=[td.control(rod, "length", low=1, high=2)], is_running=None)


@td.constraint
def on_sphere(p: td.Point, *, radius: td.Number = 1.0):
    return td.norm(p) - radius


world.add(on_sphere(rod.end1, radius=2))
"""
WRONG = {
    "td.spring(rod.end1, (0, 0, 0), stifness=3)": 'Unexpected keyword argument "stifness" for "spring"',
    "td.spring(rod.end1)": 'Missing positional argument "b"',
    'td.spring(rod.end1, (0, 0, 0), stiffness="strong")': 'incompatible type "str"; expected "float"',
    "td.Rod(lenght=2.0)": 'Unexpected keyword argument "lenght" for "Rod"',
    'td.World(method="euler")': "incompatible type",
    "td.World(gravity=9.81)": "incompatible type",
    "world.show(plot=[])": 'Unexpected keyword argument "plot" for "show"',
    "td.sprng": 'Module has no attribute "sprng"',
}


def test_the_stub_of_the_door_is_up_to_date():
    assert STUB.read_text() == stub(), "tinkerdyne/__init__.pyi is out of date: run  make stubs"


def test_a_checker_takes_right_calls_and_finds_wrong_ones(tmp_path):
    (tmp_path / "user.py").write_text(USER + "\n".join(WRONG))
    command = [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent"]
    done = subprocess.run(
        [*command, "--cache-dir", str(tmp_path / "cache"), str(tmp_path / "user.py")],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    found = [line for line in done.stdout.splitlines() if ": error:" in line and "user.py" in line]
    first = len(USER.splitlines()) + 1
    for k, (line, says) in enumerate(WRONG.items()):
        assert any(f"user.py:{first + k}:" in one and says in one for one in found), f"{line}\n{done.stdout}"
    assert len(found) == len(WRONG), done.stdout
