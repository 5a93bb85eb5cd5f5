"""A recording in a page of its own."""

from __future__ import annotations

import msgspec

from tinkerdyne.studio.wire.messages.frames import FrameLayout
from tinkerdyne.studio.wire.messages.media import PictureInfo
from tinkerdyne.studio.wire.messages.model import Model, TypeInfo


class Plotted(msgspec.Struct, frozen=True):
    """A quantity over time; null where it was not there, and where the world did not run on."""

    times: tuple[float, ...]
    values: tuple[float | None, ...]


class Replay(msgspec.Struct, frozen=True):
    """What stands in replay.html as "recording", packed. Beside it stand its "frames", one behind the other
    as sent: a header of 16 bytes, then `size` float32 of its layout."""

    model: Model
    layouts: tuple[FrameLayout, ...]
    types: tuple[TypeInfo, ...]  # of its items
    pictures: dict[str, PictureInfo] = {}  # images that lie in the plane, as `Report` has them
    plots: dict[str, Plotted] = {}  # quantities that are plotted or traced, over all of the recording
    traces: tuple[str, ...] = ()  # places whose way is drawn: "rod.end2", of which the plots have all axes
