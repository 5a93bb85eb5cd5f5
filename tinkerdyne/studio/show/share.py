"""A recording as one HTML file that needs no server: the replay page with the recording written into it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from tinkerdyne.studio.build.catalogue import described
from tinkerdyne.studio.session.files import CLIENT
from tinkerdyne.studio.session.past import PastFrame
from tinkerdyne.studio.show.written import packed, written
from tinkerdyne.studio.wire.protocol import FrameLayout, PictureInfo, Plotted

PLACE = "<!--RECORDING-->"


class _Item(msgspec.Struct):
    """Of an item, its type's name."""

    of: str


class _Items(msgspec.Struct):
    """Of a model, its items."""

    items: tuple[_Item, ...]


def page(
    model: bytes,
    layouts: dict[int, FrameLayout],
    moments: Iterable[PastFrame],
    pictures: dict[str, PictureInfo] | None = None,
    plots: dict[str, Plotted] | None = None,
    traces: tuple[str, ...] = (),
) -> str:
    """The whole file; `pictures` are the images that lie in the plane, by the names of their items, `plots`
    the quantities that are plotted, and those of the places that are traced, `traces`."""
    template = CLIENT / "replay.html"
    if not template.is_file():
        raise ValueError("the replay page is not built; build it with `make studio`, then share again")
    text = template.read_text(encoding="utf-8")
    if PLACE not in text:
        raise ValueError(
            f"{template} has no place for a recording ({PLACE}); build it anew with `make studio`"
        )
    items = [item for layout in layouts.values() for item in layout.then]
    names = {item.of for item in items} | {item.of for item in msgspec.json.decode(model, type=_Items).items}
    recording = {
        "model": msgspec.Raw(model),
        "layouts": list(layouts.values()),
        "types": described(names),
        "pictures": pictures or {},
        "plots": plots or {},
        "traces": traces,
    }
    frames = b"".join(moment.frame for moment in moments)
    return text.replace(PLACE, packed("recording", written(recording)) + packed("frames", frames), 1)
