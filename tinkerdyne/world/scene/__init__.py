"""Scenes: a whole world as versioned JSON that a person can read, and its careful way to and from a file
(E6).

    {
      "tinkerdyne": 2,
      "time": 0.25,
      "settings": {"method": "runge_kutta"},
      "objects": [
        {"name": "upper", "type": "rod", "mass": 1.0, "length": 1.0, "radius": 0.05, "state": {"position":
        [0.5, 0.0, 0.0], …}}
      ],
      "connectors": [
        {"name": "upper.end1", "type": "point", "on": ["upper"], "part": "end1"}
      ],
      "constraints": [
        {"name": "nail-1", "type": "nail", "on": ["upper.end1"], "at": [0.0, 0.0, 0.0], "tau": 0.2, "memory":
        […]}
      ],
      "behaviors": [
        {"name": "gravity-1", "type": "gravity", "g": [0.0, 0.0, -9.81]}
      ],
      "order": ["upper", "upper.end1", …],
      "stepper": {"largest_kinetic_energy": 3.5}
    }

What is left out keeps its default: parameters, parts of the state, `settings`, `tau`, `is_on`, whole
sections. Without `order`, items are added section by section. Numbers are written in the shortest form that
reads back as the same float64, and with `memory` (of each constraint) and `stepper` (of the world) a loaded
world goes on bit for bit like the one that was saved. A person who writes a file leaves both out. Types of
one's own are referred to by name: define them before loading.
"""

from tinkerdyne.files import LARGEST_FILE, SceneError, keep_older, read_file, write_file
from tinkerdyne.world.scene.fill import fill, resume
from tinkerdyne.world.scene.read import loads
from tinkerdyne.world.scene.value import SceneValue
from tinkerdyne.world.scene.write import dumps, scene_of

__all__ = [
    "LARGEST_FILE",
    "SceneError",
    "SceneValue",
    "dumps",
    "fill",
    "keep_older",
    "loads",
    "read_file",
    "resume",
    "scene_of",
    "write_file",
]
