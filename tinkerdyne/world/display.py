"""How a world is meant to be seen: camera, traces, plots, whether it runs, a panel of controls, and the
sketch of a motion.

It is saved with the scene, and the motion knows nothing of it:

    world.show(traces=["foot"], plots=["motor.force"], controls=[control(motor, "at", low=0, high=6)])
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Protocol, TypedDict, get_args

from tinkerdyne.language.calls import says_how
from tinkerdyne.language.checks import number, truth, vector
from tinkerdyne.language.item import Item, label
from tinkerdyne.world.edit import Control, ControlKind, Display, Json, Shown, Sketched


class HasDocument(Protocol):
    """A sketch of a motion, as `tinkerdyne.sketch` has it."""

    def document(self) -> dict[str, Json]: ...


class Parts(TypedDict, total=False):
    """What a display has; None is as it comes."""

    camera: Sequence[float] | None  # the place looked at [m], the distance [m], azimuth and elevation [rad]
    traces: Sequence[str | Item] | None
    plots: Sequence[str] | None
    controls: Sequence[Control] | None
    is_running: bool | None
    sketch: HasDocument | Mapping[str, Json] | Sketched | None  # of a motion of bodies of this world


PARTS = tuple(Parts.__annotations__)
MOST = 200  # traces, plots or controls
LONGEST = 200  # characters of a title or a quantity
LARGEST = 1 << 20  # characters of a sketch
KINDS = get_args(ControlKind)


@says_how
def control(
    item: Item | str,
    parameter: str,
    *,
    kind: ControlKind = "slider",
    low: float = 0.0,
    high: float = 1.0,
    index: int = 0,
    keys: str = "",
    title: str = "",
) -> Control:
    """A slider from low to high, a switch between the two, or a button that gives high while it is pressed.

    `index`: which number of a parameter that has several. `keys`: two keys that lower and raise a slider,
    "J K", or the one of a switch or button."""
    name = item.name if isinstance(item, Item) else item
    if isinstance(item, Item) and parameter not in item.values:
        raise ValueError(f"{label(item)} has no parameter {parameter!r}; it has {', '.join(item.values)}")
    return _control(Control(name, parameter, kind, low, high, index, keys, title))


def _control(given: object) -> Control:
    if not isinstance(given, Control):
        raise TypeError(f"controls are made by control(item, parameter), not {given!r}")
    who = f"the control of {given.name}.{given.parameter}"
    for what, said in (
        ("name", given.name),
        ("parameter", given.parameter),
        ("keys", given.keys),
        ("title", given.title),
    ):
        _text(f"{what} of {who}", said)
    if given.kind not in KINDS:
        raise ValueError(f"{who} must be a {', '.join(KINDS)}, not {given.kind!r}")
    low, high = number(f"low of {who}", given.low), number(f"high of {who}", given.high)
    if low == high:
        raise ValueError(f"low and high of {who} must differ, not both be {low:g}")
    if isinstance(given.index, bool) or not isinstance(given.index, int) or given.index < 0:
        raise ValueError(f"index of {who} must be 0 or more, not {given.index!r}")
    return replace(given, low=low, high=high)


def _text(what: str, said: object) -> str:
    if not isinstance(said, str) or len(said) > LONGEST:
        raise TypeError(f"{what} must be a text of at most {LONGEST} characters, not {str(said)[:80]!r}")
    return said


def checked(part: str, value: object) -> Shown:
    """A part of a display, checked; None is as it comes."""
    if part not in PARTS:
        close = get_close_matches(part[:100], PARTS, n=1)
        near = f"; did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"a display has no {part!r}; it has {', '.join(PARTS)}{near}")
    if value is None:
        return None
    if part == "is_running":
        return truth(part, value)
    if part == "camera":
        found = vector("camera", value, length=6)
        if not (found[3] > 0 and all(map(math.isfinite, found))):
            raise ValueError("the distance of a camera, its fourth number, must be positive")
        return found
    if part == "sketch":
        return _sketched(value)
    if isinstance(value, str | Control | Item) or not isinstance(value, Iterable):
        raise TypeError(f"{part} must be a list, not {value!r}; write {part}=[…]")
    rows = tuple(value)
    if len(rows) > MOST:
        raise ValueError(f"a display has {MOST} {part} at most, not {len(rows)}")
    if part == "controls":
        return tuple(map(_control, rows))
    return tuple(_text(f"each of {part}", row.name or row if isinstance(row, Item) else row) for row in rows)


def _sketched(value: object) -> Sketched:
    """A sketch by its document; what it says is read by who solves it."""
    wrong = "a sketch must be a Sketch, or a document with the names of its bodies"
    if isinstance(value, Sketched):
        value = json.loads(value.text)
    document = value if isinstance(value, Mapping) else _document(value, wrong)
    bodies = document.get("bodies")
    if not isinstance(bodies, list) or not bodies:
        raise ValueError(f"{wrong}, not {str(document)[:80]!r}")
    names = [body.get("name") if isinstance(body, dict) else body for body in bodies]
    if not all(isinstance(name, str) for name in names):
        raise ValueError(f"{wrong}, not {str(bodies)[:80]!r}")
    text = json.dumps({**document, "bodies": names}, allow_nan=False)
    if len(text) > LARGEST:
        raise ValueError(f"a sketch of {len(text):,} characters is too large; at most {LARGEST:,} are kept")
    return Sketched(text)


def _document(value: object, wrong: str) -> Mapping[str, Json]:
    document = getattr(value, "document", None)
    if not callable(document):
        raise TypeError(f"{wrong}, not {value!r}")
    found: Mapping[str, Json] = document()
    return found


UNNAMED = ("name", "on", "when", "type", "marks")  # keys of a sketch whose texts name no body


def _renamed_sketch(value: Json, names: Mapping[str, str]) -> Json:
    if isinstance(value, dict):
        return {key: one if key in UNNAMED else _renamed_sketch(one, names) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed_sketch(one, names) for one in value]
    return names.get(value, value) if isinstance(value, str) else value


def with_part(shown: Mapping[str, Shown], part: str, value: object) -> dict[str, Shown]:
    """A display with another part."""
    found = checked(part, value)
    others = {name: one for name, one in shown.items() if name != part}
    return others if found is None else {**others, part: found}


def renamed(shown: Mapping[str, Shown], names: Mapping[str, str]) -> dict[str, Shown]:
    """The same display after items were given other names."""

    def now(quantity: str) -> str:
        end = len(quantity)
        while end > 0:
            if quantity[:end] in names:
                return names[quantity[:end]] + quantity[end:]
            end = quantity.rfind(".", 0, end)
        return quantity

    found = dict(shown)
    for part in ("traces", "plots"):
        if isinstance(rows := found.get(part), tuple):
            found[part] = tuple(now(row) for row in rows if isinstance(row, str))
    if isinstance(rows := found.get("controls"), tuple):
        found["controls"] = tuple(
            replace(row, name=names.get(row.name, row.name)) for row in rows if isinstance(row, Control)
        )
    if isinstance(sketch := found.get("sketch"), Sketched):
        found["sketch"] = Sketched(json.dumps(_renamed_sketch(json.loads(sketch.text), names)))
    return found


def edits_of(parts: Mapping[str, object]) -> tuple[Display, ...]:
    """The edits that give a display these parts."""
    return tuple(Display(part, checked(part, value)) for part, value in parts.items())
