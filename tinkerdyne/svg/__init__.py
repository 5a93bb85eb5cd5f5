"""SVG drawings: paths and basic shapes come in as curves that are attached to each other; a plane world goes
out as a drawing.

Closed outlines come in as troids, too.
"""

from tinkerdyne.svg.paths import SVGError
from tinkerdyne.svg.reading import curves_from_svg
from tinkerdyne.svg.sheets import sheets_from_svg
from tinkerdyne.svg.writing import save_svg, svg_of

__all__ = ["SVGError", "curves_from_svg", "save_svg", "sheets_from_svg", "svg_of"]
