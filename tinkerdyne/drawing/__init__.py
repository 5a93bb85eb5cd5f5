"""Pictures of a run without a browser: a filmstrip of the scene, and energies, gaps and constraint forces
over time (R7, R8)."""

from tinkerdyne.drawing.painter import ENDINGS
from tinkerdyne.drawing.picture import picture, plot, readings_for_plot

__all__ = ["ENDINGS", "picture", "plot", "readings_for_plot"]
