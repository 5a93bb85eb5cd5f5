"""Tinkerdyne: interactive constrained dynamics. This is the only public door.

Written by `make stubs` from the types themselves.
"""

from collections.abc import Sequence
from typing import TypeAlias

from tinkerdyne.behaviors.formulas import formula_energy, formula_force
from tinkerdyne.behaviors.images import photo
from tinkerdyne.connectors.formulas import formula, moving
from tinkerdyne.connectors.points import Nail
from tinkerdyne.constraints.algebra import equation, follow
from tinkerdyne.constraints.curves import (
    equal_area,
    equal_length,
    equal_radius,
    lock,
    mirror_images,
    mirror_points,
    parameter_of,
)
from tinkerdyne.constraints.joints import join, joint, within
from tinkerdyne.engine.contact.events import ContactEvent
from tinkerdyne.engine.contact.meetings import Meeting, Meetings
from tinkerdyne.engine.diagnose import Diagnosis
from tinkerdyne.formats import FormatError, ReadModel, read_model, write_model
from tinkerdyne.language import (
    PI,
    TAU,
    FormulaError,
    acos,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    cross,
    dot,
    exp,
    if_else,
    log,
    norm,
    normalise,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    vec,
)
from tinkerdyne.language.arrays import Array as _Array
from tinkerdyne.language.effects import Nonsquare, Rate, Stop, energy, force, spin, torque, velocity
from tinkerdyne.language.item import Item
from tinkerdyne.language.kinds import (
    Anything,
    Axes,
    Choice,
    Curve,
    Direction,
    Frame,
    FrameValue,
    Number,
    Particles,
    Place,
    Point,
    Scalar,
    Size,
    Unit,
    Vector,
)
from tinkerdyne.language.types import behavior, connector, constraint, field
from tinkerdyne.objects.catalog import Rigid as _Rigid
from tinkerdyne.objects.curve import curve
from tinkerdyne.objects.curves import polyline
from tinkerdyne.objects.decomposition import convex_parts
from tinkerdyne.objects.lagrangian import lagrangian
from tinkerdyne.objects.mesh import mesh_from_file
from tinkerdyne.objects.patches import surface_grid
from tinkerdyne.objects.shape import Body as _Body
from tinkerdyne.objects.shapes import outline, surface
from tinkerdyne.objects.troids import block, picture, sheet
from tinkerdyne.optimise.fit import Fit
from tinkerdyne.optimise.model import Model
from tinkerdyne.optimise.settle import settle
from tinkerdyne.optimise.snake import Snake
from tinkerdyne.studio import studio as studio
from tinkerdyne.svg import (
    SVGError,
    curves_from_dxf,
    curves_from_svg,
    save_svg,
    sheets_from_dxf,
    sheets_from_svg,
    svg_of,
)
from tinkerdyne.world.accuracy import Accuracy
from tinkerdyne.world.display import control
from tinkerdyne.world.dragging import Grip
from tinkerdyne.world.edit import (
    Add,
    Change,
    Configure,
    Control,
    Description,
    Display,
    Edit,
    Event,
    Move,
    Plan,
    Ramp,
    Remove,
    Rename,
    Several,
)
from tinkerdyne.world.recording import Recording
from tinkerdyne.world.results import Assembly, Jump, Result, Status
from tinkerdyne.world.scene import SceneError
from tinkerdyne.world.world import World

_Numbers: TypeAlias = Sequence[float] | _Array
_Rows: TypeAlias = Sequence[Sequence[float]] | _Array

_Anything: TypeAlias = Item
_Curve: TypeAlias = Item
_Direction: TypeAlias = Item | _Numbers
_Frame: TypeAlias = Item | _Numbers
_Part: TypeAlias = Item
_Particles: TypeAlias = Item
_Picture: TypeAlias = Item
_Point: TypeAlias = Item | _Numbers
_Scalar: TypeAlias = Item
_Surface: TypeAlias = Item
_Vector: TypeAlias = Item

__all__ = [
    "PI", "TAU", "Accuracy", "Add", "Anything", "Arc", "Assembly", "Axes", "BSpline", "Bezier", "Bowl",
    "Box", "Capsule", "Card", "Change", "Choice", "Circle", "Compound", "Cone", "Configure",
    "ContactEvent", "Control", "Curve", "Cylinder", "Description", "Diagnosis", "Direction", "Disc",
    "Display", "Edit", "Ellipse", "Event", "Fit", "Floor", "FormatError", "FormulaError", "Frame",
    "FrameValue", "Grip", "HeightField", "Helix", "Item", "Jump", "Line", "Meeting", "Meetings", "Mesh",
    "Model", "Move", "Nail", "Nonsquare", "Number", "Particle", "Particles", "Place", "Plan",
    "PlanarBody", "PlanarFloor", "PlanarRod", "Plate", "Point", "Polygon", "Ramp", "Rate", "ReadModel",
    "Recording", "Rectangle", "Remove", "Rename", "Result", "RigidBody", "Rod", "SVGError", "Scalar",
    "SceneError", "Several", "Size", "Snake", "Sphere", "Spiral", "Status", "Stop", "Superellipse",
    "TiltedEllipse", "Torus", "Troid", "Unit", "Variable", "Vector", "Wall", "World", "acceleration",
    "acos", "across_between", "align", "angle", "angle_between", "area_of", "area_within", "asin",
    "at_least", "at_most", "atan", "atan2", "attach", "attraction", "ball", "behavior", "bend_between",
    "between", "block", "box_drag", "bushing", "component", "connect", "connector", "constraint",
    "contact", "contact_area", "contact_force", "control", "convex_parts", "conveyor", "coordinate",
    "cos", "cosh", "cross", "curve", "curve_point", "curves_from_dxf", "curves_from_svg", "cylindrical",
    "damper", "damping", "direction", "direction_path", "distance", "distance_between", "dot", "drag",
    "drive", "dry_friction", "edge", "elastic", "energy", "equal", "equal_area", "equal_length",
    "equal_radius", "equation", "exp", "field", "follow", "force", "formula", "formula_energy",
    "formula_force", "frame", "friction", "gear", "gravity", "group", "held", "if_else", "ignore",
    "join", "joint", "keep_volume", "lag", "lagrangian", "length_of", "link", "lock", "log", "match",
    "material", "mesh_from_file", "middle", "mirror_images", "mirror_points", "mirrored",
    "mirrored_curve", "motor", "moving", "nail", "norm", "normal", "normalise", "number_of",
    "number_path", "on_axis", "on_curve", "on_face", "on_line", "on_plane", "orient", "outline",
    "pairing", "parameter_of", "particle_of", "path", "perpendicular", "photo", "picture", "pin",
    "place", "planar", "point", "polyline", "prismatic", "pull", "push_body", "rack", "read_model",
    "roll", "rope", "rotation_between", "save_svg", "scalar_spring", "screw", "serial",
    "serial_coordinate", "servo", "settle", "shape_drag", "sheet", "sheets_from_dxf", "sheets_from_svg",
    "sin", "sinh", "slide_between", "slider", "sliding_tangent", "speed", "sphere_on_plane", "spin",
    "spin_drag", "spring", "sqrt", "squared_distance", "stack", "surface", "surface_grid",
    "surface_normal", "surface_point", "surface_slider", "svg_of", "swing_between", "tan", "tangent",
    "tangential", "tanh", "through", "torque", "torsion_spring", "touch", "touching", "tug",
    "turn_between", "twist", "twist_body", "typed_curve", "typed_surface", "universal", "vec",
    "velocity", "volcano", "weld", "within", "world_direction", "world_frame", "write_model",
]  # fmt: skip

class _ArcItem(Item):
    density: float
    drag: float
    is_fixed: bool
    position: _Numbers
    radius: float
    begin: float
    end: float
    position_rate: _Numbers
    radius_rate: float
    begin_rate: float
    end_rate: float

def Arc(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    radius: float = 1.0,
    begin: float = 0.0,
    end: float = 1.5707963267948966,
    position_rate: _Numbers = (0.0, 0.0),
    radius_rate: float = 0.0,
    begin_rate: float = 0.0,
    end_rate: float = 0.0,
) -> _ArcItem:
    """A part of a circle, from the angle `begin` (u = 0) to the angle `end` (u = 1).

    Units: density [kg/m], drag [N s/m²], position [m], radius [m], begin [rad], end [rad],
    position_rate [m/s], radius_rate [m/s], begin_rate [rad/s], end_rate [rad/s].
    """

class _BSplineItem(Item):
    density: float
    drag: float
    is_closed: bool
    is_fixed: bool
    points: _Rows
    points_rate: _Rows

def BSpline(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_closed: bool = False,
    is_fixed: bool = False,
    points: _Rows = ((0.0, 0.0), (0.5, 0.8), (1.0, -0.2), (1.5, 0.6), (2.0, 0.0)),
    points_rate: _Rows = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
) -> _BSplineItem:
    """A uniform cubic B-spline of four points and more, in the plane or in space; u counts its pieces from
    0. With is_closed it goes round.

    Units: density [kg/m], drag [N s/m²], points [m], points_rate [m/s].
    """

class _BezierItem(Item):
    density: float
    drag: float
    is_fixed: bool
    points: _Rows
    points_rate: _Rows

def Bezier(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    points: _Rows = ((0.0, 0.0), (0.3, 0.5), (0.7, 0.5), (1.0, 0.0)),
    points_rate: _Rows = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)),
) -> _BezierItem:
    """A Bézier curve in the plane or in space, over u from 0 to 1; its degree is one less than the number
    of its points.

    Units: density [kg/m], drag [N s/m²], points [m], points_rate [m/s].
    """

class _BowlItem(Item):
    radius: float
    depth: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers

def Bowl(
    name: str = "",
    *,
    radius: float = 1.0,
    depth: float = 1.0,
    is_fixed: bool = True,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
) -> _BowlItem:
    """A bowl that stands still, the inside of a sphere up to its depth; its origin is its lowest point. It
    is touched from the inside and at its rim.

    Units: radius [m], depth [m], position [m].
    """

class _BoxItem(_Body):
    size: _Numbers
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    centre: Item
    left: Item
    right: Item
    front: Item
    back: Item
    bottom: Item
    top: Item
    left_front_bottom: Item
    left_front_top: Item
    left_back_bottom: Item
    left_back_top: Item
    right_front_bottom: Item
    right_front_top: Item
    right_back_bottom: Item
    right_back_top: Item

def Box(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    size: _Numbers = (1.0, 1.0, 1.0),
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _BoxItem:
    """A solid box, size along its own x, y and z. Points centre, left, right, front, back, bottom, top
    (middles of its sides) and its corners, such as left_front_bottom.

    Units: mass [kg], density [kg/m³], size [m], position [m], velocity [m/s], spin [rad/s].
    """

class _CapsuleItem(_Body):
    radius: float
    length: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    end1: Item
    end2: Item
    centre1: Item
    centre2: Item
    centre: Item

def Capsule(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    radius: float = 0.25,
    length: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _CapsuleItem:
    """A cylinder along its own x axis with half balls at its ends; length is between the balls' centres.
    Points end1, end2 (the tips), centre1, centre2 (of the balls) and centre.

    Units: mass [kg], density [kg/m³], radius [m], length [m], position [m], velocity [m/s], spin
    [rad/s].
    """

class _CardItem(_Body):
    width: float
    height: float
    thickness: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    centre: Item
    left: Item
    right: Item
    bottom: Item
    top: Item
    bottom_left: Item
    bottom_right: Item
    top_left: Item
    top_right: Item

def Card(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    width: float = 1.0,
    height: float = 1.0,
    thickness: float = 0.002,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _CardItem:
    """A thin plate: width along its own x, height along y, thickness along z. Points centre, left, right,
    bottom, top (middles of its edges), and the corners bottom_left, bottom_right, top_left, top_right.

    Units: mass [kg], density [kg/m³], width [m], height [m], thickness [m], position [m], velocity
    [m/s], spin [rad/s].
    """

class _CircleItem(Item):
    density: float
    drag: float
    is_fixed: bool
    position: _Numbers
    radius: float
    position_rate: _Numbers
    radius_rate: float

def Circle(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    radius: float = 1.0,
    position_rate: _Numbers = (0.0, 0.0),
    radius_rate: float = 0.0,
) -> _CircleItem:
    """A circle: x = position + radius (cos u, sin u), u from 0 to 2π.

    Units: density [kg/m], drag [N s/m²], position [m], radius [m], position_rate [m/s], radius_rate
    [m/s].
    """

class _CompoundItem(_Body):
    shapes: object
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    centre: Item
    handle_end1: Item
    handle_end2: Item
    handle_centre: Item
    head_centre: Item
    head_left: Item
    head_right: Item
    head_front: Item
    head_back: Item
    head_bottom: Item
    head_top: Item
    head_left_front_bottom: Item
    head_left_front_top: Item
    head_left_back_bottom: Item
    head_left_back_top: Item
    head_right_front_bottom: Item
    head_right_front_top: Item
    head_right_back_bottom: Item
    head_right_back_top: Item
    origin: Item

def Compound(
    name: str = "",
    *,
    mass: float | tuple[str, float] = ("shapes", 1.0),
    density: float | None = None,
    shapes: object = (
        (
            "handle",
            "rod",
            (("mass", 1.0), ("length", 1.0), ("radius", 0.05)),
            (0.0, 0.0, 0.0),
            (1.0, 0.0, 0.0, 0.0),
        ),
        ("head", "box", (("mass", 2.0), ("size", (0.2, 0.2, 0.5))), (0.5, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)),
    ),
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _CompoundItem:
    """Several shapes as one body: shapes={'head': Box(..., position=..., orientation=...), ...}, each
    where its own position and orientation say, with its own mass or density. The origin is the common
    centre of mass, at `offset` among the parts as given. Its mass is that of the parts unless it is
    given one (or a density), which scales them all alike. Points centre, origin (of the axes as given),
    and those of the parts, such as head_top.

    Units: mass [kg], density [kg/m³], position [m], velocity [m/s], spin [rad/s].
    """

class _ConeItem(_Body):
    radius: float
    height: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    base: Item
    apex: Item
    centre: Item

def Cone(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    radius: float = 0.5,
    height: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _ConeItem:
    """A solid cone along its own x axis: its base at −height/4, its apex at +3/4 height from the centre of
    mass. Points base (the middle of it), apex and centre.

    Units: mass [kg], density [kg/m³], radius [m], height [m], position [m], velocity [m/s], spin
    [rad/s].
    """

class _CylinderItem(_Body):
    radius: float
    length: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    end1: Item
    end2: Item
    centre: Item

def Cylinder(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    radius: float = 0.5,
    length: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _CylinderItem:
    """A solid cylinder along its own x axis (like a rod), with the points end1, end2 and centre.

    Units: mass [kg], density [kg/m³], radius [m], length [m], position [m], velocity [m/s], spin
    [rad/s].
    """

class _DiscItem(_Body):
    radius: float
    is_fixed: bool
    position: _Numbers
    angle: float
    velocity: _Numbers
    spin: float
    centre: Item
    left: Item
    right: Item
    bottom: Item
    top: Item

def Disc(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    radius: float = 0.5,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    angle: float = 0.0,
    velocity: _Numbers = (0.0, 0.0),
    spin: float = 0.0,
) -> _DiscItem:
    """A disc in the plane, with the points centre, left, right, bottom and top; its density is by area.

    Units: mass [kg], density [kg/m²], radius [m], position [m], angle [rad], velocity [m/s], spin
    [rad/s].
    """

class _EllipseItem(Item):
    density: float
    drag: float
    is_fixed: bool
    position: _Numbers
    radii: _Numbers
    angle: float
    position_rate: _Numbers
    radii_rate: _Numbers
    angle_rate: float

def Ellipse(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    radii: _Numbers = (1.0, 0.6),
    angle: float = 0.0,
    position_rate: _Numbers = (0.0, 0.0),
    radii_rate: _Numbers = (0.0, 0.0),
    angle_rate: float = 0.0,
) -> _EllipseItem:
    """An ellipse with its half axes `radii`, the first turned by `angle`; u from 0 to 2π.

    Units: density [kg/m], drag [N s/m²], position [m], radii [m], angle [rad], position_rate [m/s],
    radii_rate [m/s], angle_rate [rad/s].
    """

class _FloorItem(Item):
    size: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers

def Floor(
    name: str = "",
    *,
    size: float = 10.0,
    is_fixed: bool = True,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
) -> _FloorItem:
    """A floor that stands still: all that lies below its own z = 0, drawn as large as its size.

    Units: size [m], position [m].
    """

class _HeightFieldItem(Item):
    heights: _Rows
    size: _Numbers
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers

def HeightField(
    name: str = "",
    *,
    heights: _Rows = ((0.0, 0.0), (0.0, 0.0)),
    size: _Numbers = (10.0, 10.0),
    is_fixed: bool = True,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
) -> _HeightFieldItem:
    """Ground by its heights [m], rows along x, over a rectangle about its origin.

    Units: size [m], position [m].
    """

class _HelixItem(Item):
    density: float
    drag: float
    turns: float
    is_fixed: bool
    position: _Numbers
    a: _Numbers
    b: _Numbers
    axis: _Numbers
    position_rate: _Numbers
    a_rate: _Numbers
    b_rate: _Numbers
    axis_rate: _Numbers

def Helix(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    turns: float = 3.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    a: _Numbers = (0.5, 0.0, 0.0),
    b: _Numbers = (0.0, 0.5, 0.0),
    axis: _Numbers = (0.0, 0.0, 1.0),
    position_rate: _Numbers = (0.0, 0.0, 0.0),
    a_rate: _Numbers = (0.0, 0.0, 0.0),
    b_rate: _Numbers = (0.0, 0.0, 0.0),
    axis_rate: _Numbers = (0.0, 0.0, 0.0),
) -> _HelixItem:
    """A helix of some `turns`: x = position + axis u + a cos φ + b sin φ with φ = 2π turns u, u from 0 to
    1.

    Units: density [kg/m], drag [N s/m²], position [m], a [m], b [m], axis [m], position_rate [m/s],
    a_rate [m/s], b_rate [m/s], axis_rate [m/s].
    """

class _LineItem(Item):
    density: float
    drag: float
    is_fixed: bool
    points: _Rows
    points_rate: _Rows

def Line(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    points: _Rows = ((0.0, 0.0), (1.0, 0.0)),
    points_rate: _Rows = ((0.0, 0.0), (0.0, 0.0)),
) -> _LineItem:
    """A straight line from its first point (u = 0) to its second (u = 1), in the plane or in space.

    Units: density [kg/m], drag [N s/m²], points [m], points_rate [m/s].
    """

class _MeshItem(_Body):
    vertices: _Rows
    faces: _Rows
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    centre: Item
    origin: Item

def Mesh(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    vertices: _Rows = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    faces: _Rows = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)),
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _MeshItem:
    """A solid within a closed triangle mesh of any form. It keeps the axes of its vertices, and its origin
    is the centre of mass, which lies at `offset` among the vertices as given. Points centre, and origin
    (of the axes as given).

    Units: mass [kg], density [kg/m³], vertices [m], position [m], velocity [m/s], spin [rad/s].
    """

class _ParticleItem(Item):
    mass: float | tuple[str, float]
    is_fixed: bool
    position: _Numbers
    velocity: _Numbers

def Particle(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
) -> _ParticleItem:
    """A point mass in space, or in the plane when its position has two numbers.

    Units: mass [kg], position [m], velocity [m/s].
    """

class _PlanarBodyItem(Item):
    mass: float | tuple[str, float]
    inertia: float
    is_fixed: bool
    position: _Numbers
    angle: float
    velocity: _Numbers
    spin: float

def PlanarBody(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    inertia: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    angle: float = 0.0,
    velocity: _Numbers = (0.0, 0.0),
    spin: float = 0.0,
) -> _PlanarBodyItem:
    """A rigid body in the plane.

    Units: mass [kg], inertia [kg m²], position [m], angle [rad], velocity [m/s], spin [rad/s].
    """

class _PlanarFloorItem(Item):
    size: float
    is_fixed: bool
    position: _Numbers
    angle: float

def PlanarFloor(
    name: str = "",
    *,
    size: float = 10.0,
    is_fixed: bool = True,
    position: _Numbers = (0.0, 0.0),
    angle: float = 0.0,
) -> _PlanarFloorItem:
    """A floor in the plane that stands still: all that lies below its own y = 0.

    Units: size [m], position [m], angle [rad].
    """

class _PlanarRodItem(_Body):
    length: float
    width: float
    is_fixed: bool
    position: _Numbers
    angle: float
    velocity: _Numbers
    spin: float
    end1: Item
    end2: Item
    centre: Item

def PlanarRod(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    length: float = 1.0,
    width: float = 0.1,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    angle: float = 0.0,
    velocity: _Numbers = (0.0, 0.0),
    spin: float = 0.0,
) -> _PlanarRodItem:
    """A bar in the plane along its own x axis, with the points end1, end2 and centre; its density is by
    area.

    It is a rectangle, so its width counts in its inertia, mass (length² + width²)/12: 0.1 m when
    nothing is said.

    Units: mass [kg], density [kg/m²], length [m], width [m], position [m], angle [rad], velocity [m/s],
    spin [rad/s].
    """

class _PlateItem(_Body):
    size: _Numbers
    is_fixed: bool
    position: _Numbers
    angle: float
    velocity: _Numbers
    spin: float
    centre: Item
    left: Item
    right: Item
    bottom: Item
    top: Item
    bottom_left: Item
    bottom_right: Item
    top_left: Item
    top_right: Item

def Plate(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    size: _Numbers = (1.0, 1.0),
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    angle: float = 0.0,
    velocity: _Numbers = (0.0, 0.0),
    spin: float = 0.0,
) -> _PlateItem:
    """A rectangle in the plane, size along its own x and y. Points centre, left, right, bottom, top
    (middles of its sides), and the corners bottom_left, bottom_right, top_left, top_right; its density
    is by area.

    Units: mass [kg], density [kg/m²], size [m], position [m], angle [rad], velocity [m/s], spin
    [rad/s].
    """

class _PolygonItem(_Body):
    vertices: _Rows
    is_fixed: bool
    position: _Numbers
    angle: float
    velocity: _Numbers
    spin: float
    centre: Item
    origin: Item
    corner1: Item
    corner2: Item
    corner3: Item

def Polygon(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    vertices: _Rows = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)),
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    angle: float = 0.0,
    velocity: _Numbers = (0.0, 0.0),
    spin: float = 0.0,
) -> _PolygonItem:
    """A simple polygon in the plane, convex or not. Points centre, origin (of the axes as given), corner1,
    corner2, …; its density is by area.

    Its position is that of its centre of mass, wherever its vertices were drawn: at (0, 0) when nothing
    is said. To have it lie where it was drawn, write body.position = body.offset; `offset` is where the
    centre of mass lies among the vertices as given.

    Units: mass [kg], density [kg/m²], vertices [m], position [m], angle [rad], velocity [m/s], spin
    [rad/s].
    """

class _RectangleItem(Item):
    density: float
    drag: float
    is_fixed: bool
    position: _Numbers
    size: _Numbers
    angle: float
    position_rate: _Numbers
    size_rate: _Numbers
    angle_rate: float

def Rectangle(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    size: _Numbers = (1.0, 0.6),
    angle: float = 0.0,
    position_rate: _Numbers = (0.0, 0.0),
    size_rate: _Numbers = (0.0, 0.0),
    angle_rate: float = 0.0,
) -> _RectangleItem:
    """A rectangle about its position; u goes round from the lower left corner, one unit a side.

    Units: density [kg/m], drag [N s/m²], position [m], size [m], angle [rad], position_rate [m/s],
    size_rate [m/s], angle_rate [rad/s].
    """

class _RigidBodyItem(_Rigid):
    mass: float | tuple[str, float]
    shapes: _Numbers
    drawing: _Numbers
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers

def RigidBody(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    inertia: _Numbers = (1.0, 1.0, 1.0),
    shapes: _Numbers = (),
    drawing: _Numbers = (),
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _RigidBodyItem:
    """A rigid body: place of its centre of mass, orientation (w, x, y, z), velocity in the world, spin in
    its own axes.

    Its inertia is given as three principal moments, as six numbers (xx, yy, zz, xy, xz, yz) or as a 3×3
    tensor, and is read as three rows of three. It touches with its shapes, given as a compound's are,
    about the centre of mass and without regard to their masses; its drawing is shapes that are seen
    alone. Without both it is the box of its inertia.

    Units: mass [kg], inertia [kg m²], position [m], velocity [m/s], spin [rad/s].
    """

class _RodItem(_Body):
    length: float
    radius: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    end1: Item
    end2: Item
    centre: Item

def Rod(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    length: float = 1.0,
    radius: float = 0.05,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _RodItem:
    """A solid round bar along its own x axis, with the points end1, end2 and centre.

    Units: mass [kg], density [kg/m³], length [m], radius [m], position [m], velocity [m/s], spin
    [rad/s].
    """

class _SphereItem(_Body):
    radius: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    centre: Item
    left: Item
    right: Item
    front: Item
    back: Item
    bottom: Item
    top: Item

def Sphere(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    radius: float = 0.5,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _SphereItem:
    """A solid ball, with the points centre, left, right, front, back, bottom and top.

    Units: mass [kg], density [kg/m³], radius [m], position [m], velocity [m/s], spin [rad/s].
    """

class _SpiralItem(Item):
    density: float
    drag: float
    turns: float
    is_fixed: bool
    position: _Numbers
    radius: float
    pitch: float
    angle: float
    position_rate: _Numbers
    radius_rate: float
    pitch_rate: float
    angle_rate: float

def Spiral(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    turns: float = 3.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    radius: float = 0.2,
    pitch: float = 0.3,
    angle: float = 0.0,
    position_rate: _Numbers = (0.0, 0.0),
    radius_rate: float = 0.0,
    pitch_rate: float = 0.0,
    angle_rate: float = 0.0,
) -> _SpiralItem:
    """An Archimedean spiral of some `turns`: from `radius` (u = 0) outwards by `pitch` a turn, to u = 1.

    Units: density [kg/m], drag [N s/m²], position [m], radius [m], pitch [m], angle [rad],
    position_rate [m/s], radius_rate [m/s], pitch_rate [m/s], angle_rate [rad/s].
    """

class _SuperellipseItem(Item):
    density: float
    drag: float
    is_fixed: bool
    position: _Numbers
    radii: _Numbers
    angle: float
    exponent: float
    position_rate: _Numbers
    radii_rate: _Numbers
    angle_rate: float
    exponent_rate: float

def Superellipse(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    radii: _Numbers = (1.0, 0.6),
    angle: float = 0.0,
    exponent: float = 3.0,
    position_rate: _Numbers = (0.0, 0.0),
    radii_rate: _Numbers = (0.0, 0.0),
    angle_rate: float = 0.0,
    exponent_rate: float = 0.0,
) -> _SuperellipseItem:
    """A superellipse (superquadric) |x/radii₀|ⁿ + |y/radii₁|ⁿ = 1 with n = exponent, along (cos u, sin u);
    u from 0 to 2π.

    Units: density [kg/m], drag [N s/m²], position [m], radii [m], angle [rad], position_rate [m/s],
    radii_rate [m/s], angle_rate [rad/s], exponent_rate [1/s].
    """

class _TiltedEllipseItem(Item):
    density: float
    drag: float
    is_fixed: bool
    position: _Numbers
    a: _Numbers
    b: _Numbers
    position_rate: _Numbers
    a_rate: _Numbers
    b_rate: _Numbers

def TiltedEllipse(
    name: str = "",
    *,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    a: _Numbers = (1.0, 0.0, 0.0),
    b: _Numbers = (0.0, 1.0, 0.0),
    position_rate: _Numbers = (0.0, 0.0, 0.0),
    a_rate: _Numbers = (0.0, 0.0, 0.0),
    b_rate: _Numbers = (0.0, 0.0, 0.0),
) -> _TiltedEllipseItem:
    """An ellipse in space by two half diameters: x = position + a cos u + b sin u, u from 0 to 2π.

    Units: density [kg/m], drag [N s/m²], position [m], a [m], b [m], position_rate [m/s], a_rate [m/s],
    b_rate [m/s].
    """

class _TorusItem(_Body):
    radius: float
    thickness: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers
    velocity: _Numbers
    spin: _Numbers
    centre: Item
    left: Item
    right: Item
    front: Item
    back: Item

def Torus(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    density: float | None = None,
    radius: float = 0.5,
    thickness: float = 0.1,
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
    velocity: _Numbers = (0.0, 0.0, 0.0),
    spin: _Numbers = (0.0, 0.0, 0.0),
) -> _TorusItem:
    """A solid ring about its own z axis; radius to the middle of its tube, thickness is the tube's radius.
    Points centre, and left, right, front, back on the outer rim.

    Units: mass [kg], density [kg/m³], radius [m], thickness [m], position [m], velocity [m/s], spin
    [rad/s].
    """

class _TroidItem(Item):
    mass: float | tuple[str, float]
    second_moment: _Numbers
    drawing: _Numbers
    texture: str
    is_fixed: bool
    position: _Numbers
    shape: _Numbers
    velocity: _Numbers
    shape_rate: _Numbers

def Troid(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    second_moment: _Numbers = (0.1,),
    drawing: _Numbers = (),
    texture: str = "",
    is_fixed: bool = False,
    position: _Numbers = (0.0, 0.0),
    shape: _Numbers = (1.0, 0.0, 0.0, 1.0),
    velocity: _Numbers = (0.0, 0.0),
    shape_rate: _Numbers = (0.0, 0.0, 0.0, 0.0),
) -> _TroidItem:
    """An affine body (ID90 §5.4): material point s lies at position + shape · s; second_moment is ∫ρ s sᵀ.
    Matrices by columns.

    Its drawing, which goes along, is the corners of a polygon in a row; in space those of triangles.
    Its texture is an image that is stretched over the drawing: an array, the Path of a PNG or JPEG
    file, or a PNG as text.

    Units: mass [kg], second_moment [kg m²], position [m], velocity [m/s], shape_rate [1/s].
    """

class _VariableItem(Item):
    mass: float | tuple[str, float]
    is_fixed: bool
    value: float
    rate: float

def Variable(
    name: str = "",
    *,
    mass: float | tuple[str, float] = 1.0,
    is_fixed: bool = False,
    value: float = 0.0,
    rate: float = 0.0,
) -> _VariableItem:
    """A scalar with inertia: a slider's place on a curve, an unknown of a model.

    Units: mass [kg].
    """

class _WallItem(Item):
    facing: _Numbers
    size: float
    is_fixed: bool
    position: _Numbers
    orientation: _Numbers

def Wall(
    name: str = "",
    *,
    facing: _Numbers = (1.0, 0.0, 0.0),
    size: float = 10.0,
    is_fixed: bool = True,
    position: _Numbers = (0.0, 0.0, 0.0),
    orientation: _Numbers = (1.0, 0.0, 0.0, 0.0),
) -> _WallItem:
    """A wall that stands still: all that lies behind a plane through its origin.

    Units: size [m], position [m].
    """

def acceleration(
    x: _Vector,
    *,
    at: float | _Numbers = (0.0,),
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A measure's rate grows steadily from what it is when this is switched on: ẍ = at [1/s²].

    Units: tau [s], gains [1/s², 1/s].
    """

def across_between(a: _Frame, b: _Frame, *, name: str = "") -> Item:
    """Where the origin of b lies in the x, y plane of a [m]."""

def align(
    a: _Direction,
    b: _Direction,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two directions point the same way: the turn from a to b, in the directions across a (one row in the
    plane) [rad].

    Units: tau [s], gains [1/s², 1/s].
    """

def angle(
    a: _Direction,
    b: _Direction,
    *,
    at: float = 0.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two directions keep an angle: c = a·b − cos(at); use align for angles 0 and π.

    Units: at [rad], tau [s], gains [1/s², 1/s].
    """

def angle_between(a: _Direction, b: _Direction, *, name: str = "") -> Item:
    """The angle from a to b: signed in the plane, 0 … π in space [rad]."""

def area_of(*inputs: _Point, name: str = "") -> Item:
    """The area of a polygon: signed in the plane (positive when the corners turn left), else of its
    projection's sum [m²].
    """

def area_within(curve: _Curve, *, name: str = "") -> Item:
    """The signed area that a closed plane curve encloses: ½ ∮ x dy − y dx [m²]."""

def at_least(
    x: _Scalar,
    *,
    low: float = 0.0,
    restitution: float = 0.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A measure does not fall below a value: x − low ≥ 0; it bounces there with the restitution, 0 … 1.

    Units: tau [s], gains [1/s², 1/s].
    """

def at_most(
    x: _Scalar,
    *,
    high: float = 0.0,
    restitution: float = 0.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A measure does not rise above a value: high − x ≥ 0; it bounces there with the restitution, 0 … 1.

    Units: tau [s], gains [1/s², 1/s].
    """

def attach(
    a: _Curve,
    u: _Scalar,
    b: _Curve,
    w: _Scalar,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two curves meet where two variables say, and slide: c = a(u) − b(w) [m].

    Units: tau [s], gains [1/s², 1/s].
    """

def attraction(a: _Point, b: _Point, *, strength: float = 1.0, is_on: bool = True, name: str = "") -> Item:
    """Gravity between two points: E = −strength / |b − a|, with strength G m_a m_b.

    Units: strength [J m].
    """

class _BallItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    rotation: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def ball(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _BallItem:
    """A ball joint: the origins coincide (LD98 calls it universal) [m]; in the plane it is a pin.

    Units: tau [s], gains [1/s², 1/s].
    """

def bend_between(a: _Frame, b: _Frame, *, turns: float = 0.0, name: str = "") -> Item:
    """First angle of a universal joint: the turn of its cross about the x axis of a, which b has its y
    axis across [rad].
    """

def between(a: _Point, b: _Point, *, share: float = 0.5, name: str = "") -> Item:
    """The point a + share·(b − a) [m]."""

def box_drag(
    body: _Frame,
    *,
    size: float | _Numbers = (1.0, 1.0, 1.0),
    density: float = 1.2,
    viscosity: float = 0.0,
    wind: float | _Numbers = (0.0, 0.0, 0.0),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """The drag of a medium on a box, in axes of the box:

    F_i = −½ ρ s_j s_k |v_i| v_i − 3π β d v_i and T_i = −ρ s_i (s_j⁴ + s_k⁴) |ω_i| ω_i/64 − π β d³ ω_i,
    with the mean size d and the velocity v against the wind.

    Units: size [m], density [kg/m³], viscosity [Pa s], wind [m/s].
    """

def bushing(
    a: _Point,
    b: _Point,
    *,
    stiffness: float = 100.0,
    damping: float = 1.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A block of rubber between two points, the same in all directions: E = ½ k |b − a|², F = −damping ·
    (velocity of b − a).

    Units: stiffness [N/m], damping [N s/m].
    """

def component(x: _Vector, *, of: int = 0, name: str = "") -> Item:
    """One number of a vector, counted from 0; the first when nothing is said."""

def connect(
    a: _Point, b: _Point, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> Item:
    """Two points coincide: c = a − b [m].

    Units: tau [s], gains [1/s², 1/s].
    """

def contact(
    friction: float = 0.5,
    *,
    restitution: float = 0.0,
    may_sleep: bool = True,
    rolling: float = 0.0,
    spinning: float = 0.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Everything touches everything: bodies rest, slide, roll, stack and collide, with Coulomb friction.

    Bodies that are joined to each other do not touch each other. Of two surfaces the friction is the
    geometric mean; `material` gives a body constants of its own, `pairing` a pair. Unless `may_sleep`
    is False, bodies that touch each other sleep once they have rested for half a second, until
    something reaches them. `rolling` and `spinning` are arms: a moment of at most the arm times the
    normal force slows the rolling, and the spin about the normal.

    Units: rolling [m], spinning [m].
    """

def contact_area(a: _Part, b: _Part, *, name: str = "") -> Item:
    """What the points at which two bodies push on each other enclose, seen along their normal [m²]."""

def contact_force(a: _Part, b: _Part, *, name: str = "") -> Item:
    """The force of b on a by contact, in world axes [N]; for a point or a frame its body counts."""

def conveyor(
    body: _Part, *, velocity: float | _Numbers = (1.0, 0.0, 0.0), is_on: bool = True, name: str = ""
) -> Item:
    """A body whose surface moves, in the body's own axes [m/s]: what lies on it is carried along by
    friction.

    Units: velocity [m/s].
    """

def coordinate(p: _Point, along: _Direction, *, name: str = "") -> Item:
    """How far a point lies along a direction [m]."""

def curve_point(curve: _Curve, *, u: float = 0.0, name: str = "") -> Item:
    """The point of a curve at a fixed parameter u [m]."""

class _CylindricalItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    slide: Item
    turn: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def cylindrical(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _CylindricalItem:
    """b turns about the axis of a and slides along it [m, rad].

    Units: tau [s], gains [1/s², 1/s].
    """

def damper(a: _Point, b: _Point, *, coefficient: float = 1.0, is_on: bool = True, name: str = "") -> Item:
    """A damper between two points, in all directions: F = −coefficient · (velocity of b − a).

    Units: coefficient [N s/m].
    """

def damping(rate: float = 1.0, *, is_on: bool = True, name: str = "") -> Item:
    """Drag on every object in proportion to its momentum: Q = −rate · M v.

    Units: rate [1/s].
    """

def direction(body: _Frame, *, along: _Numbers = (1.0, 0.0, 0.0), name: str = "") -> Item:
    """A direction fixed in a body: d = R·along, with `along` made one unit long."""

def direction_path(
    *, style: str = "smooth", keys: _Rows = ((0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0)), name: str = ""
) -> Item:
    """A direction that passes through keys (time, x, y, z), which need not be one unit long [s]."""

def distance(
    a: _Point,
    b: _Point,
    *,
    length: float = 1.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two points stay `length` apart: c = |b − a| − length [m].

    Units: length [m], tau [s], gains [1/s², 1/s].
    """

def distance_between(a: _Point, b: _Point, *, name: str = "") -> Item:
    """|b − a| [m]."""

def drag(p: _Point, *, coefficient: float = 1.0, is_on: bool = True, name: str = "") -> Item:
    """Viscous drag on a point: F = −coefficient · velocity.

    Units: coefficient [N s/m].
    """

def drive(
    x: _Scalar,
    *,
    speed: float = 1.0,
    gain: float = 10.0,
    limit: float = 1000000.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A motor on any measure, towards a speed, with a largest effort: limit · tanh(gain (speed − ẋ) /
    limit).

    On a length, speed is in m/s and limit in N; on an angle, in rad/s and N m.
    """

def dry_friction(x: _Scalar, *, limit: float = 1.0, is_on: bool = True, name: str = "") -> Item:
    """Dry friction on any measure: ẋ = 0 while |λ| ≤ limit, else λ = −limit · sign ẋ; in N, or N m.

    On a joint's coordinate it is a brake, between two shafts a clutch. It holds without creep.
    """

def edge(p: _Point, shown: _Picture, *, strength: float = 1.0, is_on: bool = True, name: str = "") -> Item:
    """A point is drawn to the edges of a picture: E = −strength · e(p); a negative strength drives it off.

    Units: strength [J].
    """

def elastic(body: _Frame, *, stiffness: float = 10.0, is_on: bool = True, name: str = "") -> Item:
    """Draws a troid back to its rest state, turned as it is: E = ¼ k |AᵀA − 1|², zero for every rotation.

    Units: stiffness [N m].
    """

def equal(
    a: _Vector, b: _Vector, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> Item:
    """Two measures agree: c = a − b.

    Units: tau [s], gains [1/s², 1/s].
    """

def frame(
    body: _Frame,
    *,
    at: float | _Numbers = (0.0, 0.0, 0.0),
    axes: _Numbers = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    name: str = "",
) -> Item:
    """A frame fixed in a body: origin x + R·at, axes R·axes (by columns).

    Units: at [m].
    """

def friction(
    x: _Scalar, *, effort: float = 1.0, width: float = 0.01, is_on: bool = True, name: str = ""
) -> Item:
    """Dry friction on any measure: −effort · tanh(ẋ / width), in N and m/s, or N m and rad/s; below the
    width it creeps.
    """

def gear(
    first: _Scalar,
    second: _Scalar,
    *,
    ratio: float = -1.0,
    phase: float = 0.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two turns mesh: second = ratio · first + phase.

    The ratio of two outer gears is −(teeth of first)/(of second).

    Units: phase [rad], tau [s], gains [1/s², 1/s].
    """

def gravity(g: float | _Numbers = (0.0, 0.0, -9.81), *, is_on: bool = True, name: str = "") -> Item:
    """Uniform gravity on every object with mass: E = −g·Σ m x.

    One number is its strength downwards: gravity(9.81) is gravity((0, 0, −9.81)). Space is z-up, the
    plane y-up: in the plane two numbers are along x and y, and of three the first and the last.

    Units: g [m/s²].
    """

def group(*inputs: _Part, name: str = "") -> Item:
    """Bodies, and groups of them, that rules of contact speak of as one."""

def held(
    x: _Vector,
    *,
    at: float | _Numbers = (0.0,),
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A measure keeps a value: c = x − at; one number stands for all its components.

    Units: tau [s], gains [1/s², 1/s].
    """

def ignore(*inputs: _Part, is_on: bool = True, name: str = "") -> Item:
    """Bodies that pass through each other where there is contact, two or more. A group passes through what
    else is named, not through itself; named alone, through itself.
    """

def keep_volume(
    body: _Frame, *, stiffness: float = 10.0, size: float = 1.0, is_on: bool = True, name: str = ""
) -> Item:
    """Keeps the area (in space, the volume) of a troid: E = ½ k (det A − size)²; `size` is measured in
    that of the rest state.

    Units: stiffness [N m].
    """

def lag(
    x: _Scalar,
    *,
    to: float = 0.0,
    time: float = 1.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A measure follows a value late, as a filter of first order does: ẋ = (to − x)/time.

    Units: time [s], tau [s], gains [1/s², 1/s].
    """

def length_of(curve: _Curve, *, name: str = "") -> Item:
    """The length of a curve [m]."""

def link(
    a: _Point,
    b: _Point,
    c: _Point,
    shown: _Picture,
    *,
    strength: float = 1.0,
    tension: float = 1.0,
    bending: float = 1.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A point of a snake between its neighbours: E = ½ tension |c − b|² + ½ bending |a − 2 b + c|² −
    strength · e(b).

    Units: strength [J], tension [N/m], bending [N/m].
    """

def match(
    a: _Frame,
    b: _Frame,
    *,
    locked: str = "",
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Frame b keeps its pose in frame a; `locked` names what is held: x y z along, a b c about, the axes
    of a (all if empty).

    Rotation rows are angles [rad] of R = R_aᵀ R_b: the rotation vector where all three are held; where
    two are, the turn of the third axis; where one is, the twist about it. In the plane x, y and c
    exist.

    Units: tau [s], gains [1/s², 1/s].
    """

def material(
    body: _Part,
    *,
    friction: float = 0.5,
    restitution: float = 0.0,
    rolling: float = 0.0,
    spinning: float = 0.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """What the surface of a body, or of each of a group, is like to others in contact.

    Units: rolling [m], spinning [m].
    """

def middle(*inputs: _Point, name: str = "") -> Item:
    """The middle of several points [m]; parts that belong together, as a group, by their middles."""

def mirrored(
    a: _Point,
    b: _Point,
    origin: _Point,
    along: _Direction,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """b is the mirror image of a in the line (in space: the plane across it) through `origin` along a
    direction [m].

    In the plane the middle of a and b lies on the line, and b − a is across it; in space `along` is the
    normal of the mirror.

    Units: tau [s], gains [1/s², 1/s].
    """

def mirrored_curve(
    a: _Curve,
    b: _Curve,
    origin: _Point,
    along: _Direction,
    *,
    ways: _Numbers = (),
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A plane curve is the mirror image of another in the line through `origin` along a direction, number
    by number.

    `ways` says how: "place" two numbers that are mirrored as a point [m] (all are, when nothing is
    said), "same" one that both have alike, "turn" the angle of an axis, α + β = 2φ up to half turns,
    "swap" two angles that change places, up to full turns.

    Units: tau [s], gains [1/s², 1/s].
    """

def motor(
    a: _Frame,
    b: _Frame,
    *,
    speed: float = 1.0,
    gain: float = 1.0,
    axis: float | _Numbers = (0.0, 0.0, 1.0),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Drives b against a towards a speed about an axis of a: T = gain · (speed − ω_rel·axis).

    Units: speed [rad/s], gain [N m s].
    """

def nail(
    p: _Point,
    *,
    at: float | _Numbers = (0.0, 0.0, 0.0),
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A point stays at a place of the world: c = p − at.

    Units: at [m], tau [s], gains [1/s², 1/s].
    """

def normal(curve: _Curve, *, u: float = 0.0, name: str = "") -> Item:
    """The unit normal of a plane curve at u, to the left of its tangent."""

def number_of(curve: _Curve, *, index: int = 0, name: str = "") -> Item:
    """One number of a curve's state, such as its radius: the first when nothing is said."""

def number_path(*, style: str = "smooth", keys: _Rows = ((0.0, 0.0), (1.0, 1.0)), name: str = "") -> Item:
    """A number that passes through keys (time, value) [s]."""

class _OnAxisItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    slide: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def on_axis(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _OnAxisItem:
    """The origin of b slides along the axis of a, b turns freely (LD98 calls it ball-socket) [m].

    Units: tau [s], gains [1/s², 1/s].
    """

def on_curve(
    p: _Point,
    curve: _Curve,
    u: _Scalar,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A point stays on a curve, at the parameter that the variable u holds: c = p − x(u) [m].

    Units: tau [s], gains [1/s², 1/s].
    """

class _OnFaceItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    across: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def on_face(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _OnFaceItem:
    """The origin of b moves in the x, y plane of a, b turns freely: smooth contact [m].

    Units: tau [s], gains [1/s², 1/s].
    """

def on_line(
    p: _Point,
    origin: _Point,
    along: _Direction,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A point stays on the line through `origin` along a direction: (p − origin) across `along` = 0 [m].

    Units: tau [s], gains [1/s², 1/s].
    """

def on_plane(
    p: _Point,
    origin: _Point,
    normal: _Direction,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A point stays on the plane (in 2-D, the line) through `origin` with a normal: c = normal·(p −
    origin) [m].

    Units: tau [s], gains [1/s², 1/s].
    """

def orient(
    a: _Direction,
    b: _Direction,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """DC88's orientation constraint, d = 1 and f = 3 on each side: c = a·b − 1, held by torques of any
    direction.

    Units: tau [s], gains [1/s², 1/s].
    """

def pairing(
    a: _Part, b: _Part, *, friction: float = 0.5, restitution: float = 0.0, is_on: bool = True, name: str = ""
) -> Item:
    """What two bodies, or those of two groups, are like to each other in contact, whatever their
    materials.
    """

def particle_of(compound: _Particles, *, index: int = 0, name: str = "") -> Item:
    """One particle of a Lagrangian object [m]."""

def path(
    *, style: str = "smooth", keys: _Rows = ((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 1.0)), name: str = ""
) -> Item:
    """A control point that passes through keys (time, x, y, z), in the plane (time, x, y) [s, m]."""

def perpendicular(
    a: _Direction,
    b: _Direction,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two directions stay at right angles: c = a·b.

    Units: tau [s], gains [1/s², 1/s].
    """

class _PinItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    turn: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def pin(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _PinItem:
    """A hinge: b turns about the axis of a [m, rad].

    Units: tau [s], gains [1/s², 1/s].
    """

def place(*, at: float | _Numbers = (0.0, 0.0, 0.0), name: str = "") -> Item:
    """A point that stays where it is in the world.

    Units: at [m].
    """

class _PlanarItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    across: Item
    turn: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def planar(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _PlanarItem:
    """b moves in the x, y plane of a and turns about its normal [m, rad].

    Units: tau [s], gains [1/s², 1/s].
    """

def point(body: _Frame, *, at: float | _Numbers = (0.0, 0.0, 0.0), name: str = "") -> Item:
    """A point of a body, `at` in the body's own axes: p = x + R·at.

    Units: at [m].
    """

class _PrismaticItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    slide: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def prismatic(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _PrismaticItem:
    """b slides along the axis of a (in the plane, the x axis) without turning [m, rad].

    Units: tau [s], gains [1/s², 1/s].
    """

def pull(p: _Point, *, by: float | _Numbers = (0.0, 0.0, 1.0), is_on: bool = True, name: str = "") -> Item:
    """A constant force on a point, in world axes.

    Units: by [N].
    """

def push_body(
    p: _Point, body: _Frame, *, by: float | _Numbers = (0.0, 0.0, 1.0), is_on: bool = True, name: str = ""
) -> Item:
    """A constant force on a point, in the axes of a body.

    Units: by [N].
    """

def rack(
    slide: _Scalar,
    turn: _Scalar,
    *,
    radius: float = 1.0,
    phase: float = 0.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A rack moves with its pinion: slide = radius · turn + phase.

    Units: radius [m], phase [m], tau [s], gains [1/s², 1/s].
    """

def roll(
    ball: _Frame,
    origin: _Point,
    normal: _Direction,
    *,
    radius: float = 0.5,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A ball rolls on a plane without slipping (in the plane, a disc on a line): its point of contact is
    at rest [m/s].

    Units: radius [m], tau [s], gains [1/s², 1/s].
    """

def rope(
    a: _Point,
    b: _Point,
    *,
    length: float = 1.0,
    restitution: float = 0.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two points stay at most `length` apart: length − |b − a| ≥ 0 [m]; a rope that is taut pulls, and
    bounces with the restitution, 0 … 1.

    Units: length [m], tau [s], gains [1/s², 1/s].
    """

def rotation_between(a: _Frame, b: _Frame, *, name: str = "") -> Item:
    """The rotation vector of b in a: axis times angle, up to half a turn; in the plane the turn [rad]."""

def scalar_spring(
    x: _Scalar,
    *,
    stiffness: float = 1.0,
    rest: float = 0.0,
    damping: float = 0.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A damped spring on any measure: E = ½ k (x − rest)², and −damping · ẋ along it.

    On a length, k is in N/m and damping in N s/m; on an angle, in N m/rad and N m s/rad.
    """

class _ScrewItem(Item):
    pitch: float
    tau: float
    gains: _Numbers
    is_on: bool
    slide: Item
    turn: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def screw(
    a: _Frame,
    b: _Frame,
    turn: _Scalar | None = None,
    *,
    pitch: float = 0.01,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> _ScrewItem:
    """b turns about the axis of a and moves along it by the pitch in a turn [m, rad]; its turns are
    counted along with it.

    Units: pitch [m], tau [s], gains [1/s², 1/s].
    """

def serial(
    a: _Frame,
    b: _Frame,
    *,
    sorts: str = "ps",
    axes: float | _Numbers = (0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
    anchors: float | _Numbers = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Pins (p) and sliders (s) in a row hold b in a, with nothing between them: b lies at Π E_k(q_k) in a.

    Axes and anchors are those in a where all coordinates are zero, three numbers a joint.

    Units: anchors [m], tau [s], gains [1/s², 1/s].
    """

def serial_coordinate(
    a: _Frame,
    b: _Frame,
    *,
    number: int = 0,
    sorts: str = "ps",
    axes: float | _Numbers = (0.0, 0.0, 1.0, 1.0, 0.0, 0.0),
    anchors: float | _Numbers = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    turns: float = 0.0,
    name: str = "",
) -> Item:
    """A coordinate of a row of joints, counted from 0: the turn of a pin (full turns counted) or the way
    of a slider [rad, m].
    """

def servo(
    x: _Scalar,
    to: _Scalar,
    *,
    stiffness: float = 100.0,
    damping: float = 10.0,
    limit: float = 1000000.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A motor on any measure, towards another one, with a largest effort: limit · tanh((k (to − x) + c (ṫo
    − ẋ)) / limit).

    On a length, k is in N/m, c in N s/m and limit in N; on an angle, in N m/rad, N m s/rad and N m.
    """

def shape_drag(
    body: _Frame, *, coefficient: float = 1.0, turning: float = 0.0, is_on: bool = True, name: str = ""
) -> Item:
    """Viscous drag inside a troid, on its strain ε = ½ AᵀA alone, so that rigid motion is free (ID90
    §5.4): −coefficient · ε̇. A share `turning` of it, 0 to 1, is drag on the axes themselves,
    −coefficient · Ȧ, which brakes rotation too.

    Units: coefficient [N m s].
    """

def slide_between(a: _Frame, b: _Frame, *, name: str = "") -> Item:
    """How far b has moved along the axis of a: z in space, x in the plane [m]."""

def slider(curve: _Curve, u: _Scalar, *, name: str = "") -> Item:
    """The point of a curve at the parameter that a variable holds: it slides [m]."""

def sliding_tangent(curve: _Curve, u: _Scalar, *, name: str = "") -> Item:
    """The unit tangent of a curve at the parameter that a variable holds."""

def speed(
    x: _Vector,
    *,
    at: float | _Numbers = (0.0,),
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A measure changes at a given rate: ẋ = at; the approach to it is e^(−t/τ) [1/s].

    Units: tau [s], gains [1/s², 1/s].
    """

def sphere_on_plane(
    p: _Point,
    origin: _Point,
    normal: _Direction,
    *,
    radius: float = 0.5,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A sphere around p touches the plane through `origin` with a normal, and slides: c = normal·(p −
    origin) − radius [m].

    Units: radius [m], tau [s], gains [1/s², 1/s].
    """

def spin_drag(body: _Frame, *, coefficient: float = 1.0, is_on: bool = True, name: str = "") -> Item:
    """Viscous drag on a body's rotation: T = −coefficient · ω.

    Units: coefficient [N m s].
    """

def spring(
    a: _Point,
    b: _Point,
    *,
    stiffness: float = 100.0,
    length: float = 0.0,
    damping: float = 0.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A damped spring between two points: E = ½ k (|b − a| − length)², and −damping along its line.

    Units: stiffness [N/m], length [m], damping [N s/m].
    """

def squared_distance(
    a: _Point,
    b: _Point,
    *,
    length: float = 1.0,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two points stay `length` apart, in the smooth form c = |b − a|² − length² [m²].

    Units: length [m], tau [s], gains [1/s², 1/s].
    """

def stack(*inputs: _Anything, name: str = "") -> Item:
    """Several connectors as one vector."""

def surface_normal(surface: _Surface, *, u: float = 0.0, v: float = 0.0, name: str = "") -> Item:
    """The unit normal of a surface in space at (u, v), along x_u × x_v."""

def surface_point(surface: _Surface, *, u: float = 0.0, v: float = 0.0, name: str = "") -> Item:
    """The point of a surface at fixed parameters (u, v) [m]."""

def surface_slider(surface: _Surface, u: _Scalar, v: _Scalar, *, name: str = "") -> Item:
    """The point of a surface at the parameters that two variables hold: it slides [m]."""

def swing_between(a: _Frame, b: _Frame, *, turns: float = 0.0, name: str = "") -> Item:
    """Second angle of a universal joint: the turn of b about its own y axis [rad]."""

def tangent(curve: _Curve, *, u: float = 0.0, name: str = "") -> Item:
    """The unit tangent of a curve at u."""

def tangential(
    a: _Curve,
    u: _Scalar,
    b: _Curve,
    w: _Scalar,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two curves touch where two variables say, and slide: a(u) = b(w) [m], and their tangents are
    parallel there.

    Units: tau [s], gains [1/s², 1/s].
    """

def through(
    a: _Curve,
    u: _Scalar,
    p: _Point,
    along: _Direction,
    *,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A curve goes through a point, where a variable says, along a direction or against it.

    Units: tau [s], gains [1/s², 1/s].
    """

def torsion_spring(
    a: _Frame, b: _Frame, *, stiffness: float = 1.0, damping: float = 0.0, is_on: bool = True, name: str = ""
) -> Item:
    """Turns b back to the orientation of a: E = k (n − tr R_aᵀR_b)/2 ≈ ½ k θ², and −damping on the
    relative spin.

    Units: stiffness [N m], damping [N m s].
    """

def touch(
    a: _Point,
    b: _Point,
    *,
    radius_a: float = 0.5,
    radius_b: float = 0.5,
    tau: float = 0.1,
    gains: _Numbers = (),
    is_on: bool = True,
    name: str = "",
) -> Item:
    """Two spheres touch and slide: c = |b − a| − |radius_a + radius_b|; a negative radius is a hollow
    sphere's.

    Units: radius_a [m], radius_b [m], tau [s], gains [1/s², 1/s].
    """

def touching(a: _Part, b: _Part, *, name: str = "") -> Item:
    """1 where two bodies touch, else 0; for a point or a frame its body counts."""

def tug(
    p: _Point,
    *,
    to: float | _Numbers = (0.0, 0.0, 0.0),
    mass: float = 1.0,
    time: float = 0.1,
    limit: float = 1000.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A pull towards a place by a critically damped spring for a mass, with a largest force (a hand):

    F = mass ((to − p)/time² − 2 ṗ/time), cut off at `limit`.

    Units: to [m], mass [kg], time [s], limit [N].
    """

def turn_between(a: _Frame, b: _Frame, *, turns: float = 0.0, name: str = "") -> Item:
    """The turn of b seen from a, full turns counted: about the third axis of a in space [rad]; `turns` is
    the last one met.
    """

def twist(
    body: _Frame, *, by: float | _Numbers = (0.0, 0.0, 1.0), is_on: bool = True, name: str = ""
) -> Item:
    """A constant torque on a body, in world axes.

    Units: by [N m].
    """

def twist_body(
    body: _Frame, *, by: float | _Numbers = (0.0, 0.0, 1.0), is_on: bool = True, name: str = ""
) -> Item:
    """A constant torque on a body, in its own axes.

    Units: by [N m].
    """

class _TypedCurveItem(Item):
    text: Sequence[str]
    names: Sequence[str]
    span: _Numbers
    panels: int
    density: float
    drag: float
    is_fixed: bool
    numbers: _Numbers
    numbers_rate: _Numbers

def typed_curve(
    *text: str,
    span: tuple[float | str, float | str] = (0.0, 1.0),
    name: str = "",
    panels: int | None = None,
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    **numbers: float | Sequence[float],
) -> _TypedCurveItem:
    """A curve whose equations x(u) are typed as text, over numbers that become its state.

    Units: density [kg/m], drag [N s/m²], numbers_rate [1/s].
    """

class _TypedSurfaceItem(Item):
    text: Sequence[str]
    names: Sequence[str]
    u_span: _Numbers
    v_span: _Numbers
    density: float
    drag: float
    is_fixed: bool
    numbers: _Numbers
    numbers_rate: _Numbers

def typed_surface(
    *text: str,
    u: tuple[float | str, float | str] = (0.0, 1.0),
    v: tuple[float | str, float | str] = (0.0, 1.0),
    name: str = "",
    density: float = 0.01,
    drag: float = 1.0,
    is_fixed: bool = False,
    **numbers: float | Sequence[float],
) -> _TypedSurfaceItem:
    """A surface in space whose equations x(u, v) are typed as text, over numbers that become its state.

    Units: density [kg/m²], drag [N s/m³], numbers_rate [1/s].
    """

class _UniversalItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    bend: Item
    swing: Item
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def universal(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _UniversalItem:
    """A cardan joint: origins coincide, and the y axis of b stays across the x axis of a [m, 1].

    Units: tau [s], gains [1/s², 1/s].
    """

def volcano(
    p: _Point,
    *,
    at: float | _Numbers = (0.0, 0.0, 0.0),
    height: float = 1.0,
    width: float = 1.0,
    is_on: bool = True,
    name: str = "",
) -> Item:
    """A hill that drives points off a place: E = height · exp(−|p − at|²/(2 width²)); a negative one is a
    pit.

    Units: at [m], height [J], width [m].
    """

class _WeldItem(Item):
    tau: float
    gains: _Numbers
    is_on: bool
    value: _Array
    velocity: _Array
    force: _Array
    gap: float
    coordinates: _Array
    speeds: _Array
    reaction: tuple[_Array, _Array]

def weld(
    a: _Frame, b: _Frame, *, tau: float = 0.1, gains: _Numbers = (), is_on: bool = True, name: str = ""
) -> _WeldItem:
    """b is held in a [m, rad].

    Units: tau [s], gains [1/s², 1/s].
    """

def world_direction(*, along: _Numbers = (0.0, 0.0, 1.0), name: str = "") -> Item:
    """A direction that stays as it is in the world."""

def world_frame(
    *,
    at: float | _Numbers = (0.0, 0.0, 0.0),
    axes: _Numbers = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
    name: str = "",
) -> Item:
    """A frame that stays in the world; axes by columns.

    Units: at [m].
    """
