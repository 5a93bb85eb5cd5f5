"""The document of a sketch of a tree (M7)."""

from __future__ import annotations

import math

from tinkerdyne.sketch.tell.document import body_document, bounds_document
from tinkerdyne.sketch.tell.entries import Document
from tinkerdyne.sketch.tree.file import ANYWHERE
from tinkerdyne.sketch.tree.sketch import TreeSketch


def tree_document(sketch: TreeSketch) -> Document:
    """Bodies, joints, and what is asked for."""
    links = sketch.tree.links
    joints = []
    for link in links:
        if link.joint != "free":
            frames = {"frame_a": (link.at_a, link.axes_a), "frame_b": (link.at_b, link.axes_b)}
            joints.append(
                {
                    "type": link.joint,
                    "a": None if link.parent < 0 else links[link.parent].item.name,
                    "b": link.item.name,
                    **{
                        key: {"at": at.tolist(), "axes": axes.ravel(order="F").tolist()}
                        for key, (at, axes) in frames.items()
                    },
                }
            )
    story: list[Document] = []
    for track in sketch.tracks:
        who = links[track.link].item.name
        entry = {"follow": who, "places": track.places.tolist(), "at": list(track.at), "weight": track.weight}
        story.append(entry | ({} if track.times is None else {"times": track.times.tolist()}))
    for hold in sketch.holds:
        value = bounds_document(hold.low, hold.high)
        story.append(
            {
                "want": links[hold.link].item.name,
                hold.kind: value,
                "at": list(hold.at),
                "when": hold.node / sketch.steps,
            }
        )
    if sketch.region is not None:
        within, angle = (ANYWHERE if math.isinf(size) else size for size in sketch.region)
        story.append({"begin": {"within": within, "angle": angle}})
    story.append({"lasts": list(sketch.duration)})
    bodies = [*(link.item for link in links), *sketch.tree.fixed]
    return {
        "steps": sketch.steps,
        "bodies": [body_document(body) for body in bodies],
        "joints": joints,
        "story": story,
    }
