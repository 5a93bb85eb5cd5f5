"""Notebooks: what worlds, recordings and sketched motions look like at the end of a cell.

    world          # runs in the cell, in step with Python where anywidget is installed
    world.record(5)  # its plots

`shown` says it to Jupyter, VS Code, Colab and marimo in their common form, a bundle by MIME type."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from tinkerdyne.sketch.show.solution import Solution
    from tinkerdyne.world.recording import Recording
    from tinkerdyne.world.world import World

HEIGHT = 460  # px

Bundle = dict[str, Any]


def world_shown(world: World) -> Bundle:
    """The live page, in step with the world where there is a kernel to talk to; kept in the notebook, it runs
    without one."""
    from tinkerdyne.studio.show.shared import shared

    page, reason = shared(world)
    bundle: Bundle = {"text/plain": repr(world), "text/html": framed(page, reason)}
    widget = None if reason else _widget(world, page)
    if widget is not None:
        found = widget._repr_mimebundle_()
        found = found[0] if isinstance(found, tuple) else found
        bundle |= {kind: value for kind, value in (found or {}).items() if kind not in bundle}
    return bundle


def framed(page: str, reason: str = "") -> str:
    """A page within another, with a word on why it is a replay."""
    said = f"<p>This is a replay: {html.escape(reason)}</p>" if reason else ""
    style = f"border:0;width:100%;height:{HEIGHT}px"
    return f'{said}<iframe style="{style}" srcdoc="{html.escape(page, quote=True)}"></iframe>'


def _widget(world: World, page: str) -> Any:
    """The widget of a world, the same one in every cell; None without anywidget."""
    try:
        from tinkerdyne.notebook.widget import widget_of
    except ImportError:
        return None
    return widget_of(world, page)


def recording_shown(recording: Recording) -> Bundle:
    """Energies, gaps and forces over time."""
    from tinkerdyne.drawing.picture import measured

    return _drawn(lambda: measured(recording), repr(recording))


def solution_shown(solution: Solution) -> Bundle:
    """The sketch and its motion side by side."""
    from tinkerdyne.sketch.show.picture import picture

    return _drawn(lambda: picture(solution), repr(solution))


def _drawn(figure: Callable[[], Figure], said: str) -> Bundle:
    """A figure, where there is matplotlib; else words."""
    import importlib.util

    if importlib.util.find_spec("matplotlib") is None:
        return {"text/plain": said}
    return figure_shown(figure(), said)


def figure_shown(figure: Figure, said: str) -> Bundle:
    """A figure of matplotlib."""
    import io

    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out = io.StringIO()
    FigureCanvasSVG(figure).print_svg(out)
    return {"text/plain": said, "image/svg+xml": out.getvalue()}
