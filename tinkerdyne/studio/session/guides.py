"""The guides, as data: what a person is told to do, one hint after the other, and when it is done."""

from __future__ import annotations

from tinkerdyne.studio.wire.protocol import Guide, GuideStep, Hint

FIRST = Guide(
    name="first",
    title="A pendulum, from the first pull to a motor",
    begin="start",
    needs=("pendulum", "second"),
    hints=(
        Hint("pull", "Pull me", at="pendulum.end2"),
        Hint("snap", "Drop me on the other rod's end", at="second", glows="second"),
        Hint("cut", "Press X, then click this joint: it is cut", at="second", of_joint=True),
        Hint("undo", "Ctrl+Z: the swing is back", at="second"),
        Hint("motor", "Click this nail and press M: it is a motor", at="pendulum", of_joint=True),
        Hint(
            "plot",
            "Shift+P plots what the motor gives; the menus have the rest",
            at="pendulum",
            of_joint=True,
        ),
    ),
    steps=(
        GuideStep("Pull", "Drag the swinging rod. The arrow is the force of its hinge."),
        GuideStep(
            "Join",
            "Drag the second rod until its end is near the end of the first one; a halo appears. Let go.",
        ),
        GuideStep("Cut", "Press `X` and click the joint. It falls. `Ctrl Z`: the swing is back."),
        GuideStep("Drive", "Click the nail and press `M`: it is a motor. `Shift P` plots it."),
        GuideStep("Read", "File, Open as Python shows the lines that make this world."),
    ),
)

EMPTY = Guide(
    name="empty",
    title="Things on a floor",
    begin="empty",
    needs=(),
    hints=(
        Hint(
            "have", "An empty world with a floor: take a body from the left, and drag it out", {"object": 1}
        ),
        Hint("have", "Another one: a ball, a rod … what is put on another lies on it", {"object": 2}),
        Hint("play", "`Space` lets the world run, and stops it again"),
        Hint("pull", "Drag a part: your hand is a spring, with `Shift` it is a nail"),
    ),
    steps=(
        GuideStep("Make", "Take a body from the toolbox at the left, and drag it out in the view."),
        GuideStep("Run", "`Space` lets the world run. What falls is held by the floor."),
        GuideStep("Pull", "Drag parts while it runs; stack and throw them."),
    ),
)

FOUR_BAR = Guide(
    name="four-bar",
    title="A four-bar with a motor and a trace",
    begin="plane",
    needs=(),
    hints=(
        Hint(
            "have",
            "Take the rod from the left, and drag out three bars, each from the end of the last",
            {"planar_rod": 3},
        ),
        Hint(
            "have", "Where ends meet they are joined: drag the bars end to end, two joints", {"connection": 2}
        ),
        Hint("have", "Point at each free end and press `N`: two nails", {"nail": 2}),
        Hint("motor", "Click a nail and press `M`: it is a motor"),
        Hint("trace", "Click the middle bar, then `Shift Y` traces its end"),
        Hint("play", "`Space`: it runs. F keeps it in view"),
    ),
    steps=(
        GuideStep("Bars", "Take the rod from the toolbox, and drag out three bars."),
        GuideStep(
            "Joints", "A bar that begins at the end of another is joined there; others are brought together."
        ),
        GuideStep("Nails", "Point at each free end and press `N`."),
        GuideStep("Motor", "Select a nail and press `M`. The arrow shows which way it turns."),
        GuideStep("Trace", "Select the middle bar and press `Shift Y`, then `Space`."),
    ),
)

CURVES = Guide(
    name="curves",
    title="A drawing of curves that keep touching",
    begin="curves",
    needs=(),
    hints=(
        Hint("have", "`I`, circle, Enter: a curve that knows its equation", {"curve": 1}),
        Hint("have", "Another curve: an ellipse, or `C` for one of your own", {"curve": 2}),
        Hint("play", "`Space`: from now on curves follow your hand"),
        Hint("have", "Drag one to the other and let go: they touch and stay so", {"constraint": 1}),
        Hint("pull", "Pull anywhere: both move and reshape, and still touch"),
    ),
    steps=(
        GuideStep("Curves", "Insert a circle and an ellipse, or press `C` and type formulas."),
        GuideStep("Attach", "Bring one near the other and let go. The toolbar says how they are attached."),
        GuideStep("Pull", "Grab any point: the mathematics follows."),
    ),
)

SKETCH = Guide(
    name="sketch",
    title="A throw that is sketched",
    begin="space",
    needs=(),
    hints=(
        Hint("have", "Take a box from the left, and drag it out on the floor", {"object": 1}),
        Hint("sketch", "It is selected: press `S` to sketch how it shall move"),
        Hint("pose", "Drag a point of the sketch: the nearest motion that physics allows follows"),
        Hint("play", "Press Play on, at the right: it flies as it was found, lands, and goes on by contact"),
    ),
    steps=(
        GuideStep("Make", "Take a box from the toolbox, and drag it out on the floor."),
        GuideStep("Sketch", "Press `S`. The points say roughly where it flies, the panel what else it does."),
        GuideStep("Shape", "Drag points. The motion that obeys physics and is nearest to them is drawn."),
        GuideStep("Play", "Play on: the world goes on from the sketch."),
    ),
)

GUIDES = (FIRST, EMPTY, FOUR_BAR, CURVES, SKETCH)
