"""SVG drawings: paths and basic shapes come in as curves that are attached to each other; a plane world goes
out as a drawing.

Closed outlines come in as troids, too. So do DXF drawings of CAD programs.
"""

from tinkerdyne.svg.dxf import curves_from_dxf, sheets_from_dxf
from tinkerdyne.svg.paths import SVGError
from tinkerdyne.svg.reading import curves_from_svg
from tinkerdyne.svg.sheets import sheets_from_svg
from tinkerdyne.svg.writing import save_svg, svg_of

__all__ = [
    "SVGError",
    "curves_from_dxf",
    "curves_from_svg",
    "save_svg",
    "sheets_from_dxf",
    "sheets_from_svg",
    "svg_of",
]
