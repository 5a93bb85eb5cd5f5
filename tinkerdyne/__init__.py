"""Tinkerdyne: interactive constrained dynamics. This is the only public door."""

from typing import Any

from tinkerdyne.behaviors.contact import contact, conveyor, group, ignore, material, pairing
from tinkerdyne.behaviors.elastic import elastic, keep_volume, shape_drag
from tinkerdyne.behaviors.forces import (
    attraction,
    bushing,
    damper,
    damping,
    drag,
    drive,
    friction,
    gravity,
    motor,
    pull,
    push_body,
    scalar_spring,
    servo,
    spin_drag,
    spring,
    torsion_spring,
    tug,
    twist,
    twist_body,
)
from tinkerdyne.behaviors.formulas import formula_energy, formula_force
from tinkerdyne.behaviors.images import edge, link, photo, volcano
from tinkerdyne.behaviors.medium import box_drag
from tinkerdyne.connectors.contact import contact_area, contact_force, touching
from tinkerdyne.connectors.curves import (
    area_within,
    curve_point,
    length_of,
    normal,
    number_of,
    particle_of,
    slider,
    sliding_tangent,
    tangent,
)
from tinkerdyne.connectors.formulas import formula, moving
from tinkerdyne.connectors.measures import (
    angle_between,
    area_of,
    component,
    coordinate,
    distance_between,
    middle,
    stack,
    turn_between,
)
from tinkerdyne.connectors.patches import surface_normal, surface_point, surface_slider
from tinkerdyne.connectors.paths import direction_path, number_path, path
from tinkerdyne.connectors.points import (
    Nail,
    between,
    direction,
    frame,
    place,
    point,
    world_direction,
    world_frame,
)
from tinkerdyne.constraints.algebra import (
    acceleration,
    at_least,
    at_most,
    equal,
    equation,
    follow,
    held,
    lag,
    speed,
)
from tinkerdyne.constraints.coordinates import (
    across_between,
    bend_between,
    rotation_between,
    slide_between,
    swing_between,
)
from tinkerdyne.constraints.curves import (
    attach,
    equal_area,
    equal_length,
    equal_radius,
    lock,
    mirror_images,
    mirror_points,
    mirrored,
    mirrored_curve,
    parameter_of,
    tangential,
    through,
)
from tinkerdyne.constraints.dry_friction import dry_friction
from tinkerdyne.constraints.frames import align, angle, match, orient, perpendicular
from tinkerdyne.constraints.joints import (
    ball,
    cylindrical,
    gear,
    join,
    joint,
    on_axis,
    on_face,
    pin,
    planar,
    prismatic,
    rack,
    screw,
    universal,
    weld,
    within,
)
from tinkerdyne.constraints.points import (
    connect,
    distance,
    nail,
    on_curve,
    on_line,
    on_plane,
    roll,
    rope,
    sphere_on_plane,
    squared_distance,
    touch,
)
from tinkerdyne.constraints.serial import serial, serial_coordinate
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
from tinkerdyne.objects.catalog import Particle, PlanarBody, RigidBody, Rod, Troid, Variable
from tinkerdyne.objects.compound import Compound
from tinkerdyne.objects.curve import curve
from tinkerdyne.objects.curves import (
    Arc,
    Circle,
    Ellipse,
    Helix,
    Rectangle,
    Spiral,
    Superellipse,
    TiltedEllipse,
    polyline,
)
from tinkerdyne.objects.decomposition import convex_parts
from tinkerdyne.objects.grounds import Bowl, Floor, HeightField, PlanarFloor, Wall
from tinkerdyne.objects.lagrangian import lagrangian
from tinkerdyne.objects.mesh import mesh_from_file
from tinkerdyne.objects.patches import surface_grid, typed_surface
from tinkerdyne.objects.planar_shapes import Disc, PlanarRod, Plate, Polygon
from tinkerdyne.objects.shapes import (
    Box,
    Capsule,
    Card,
    Cone,
    Cylinder,
    Mesh,
    Sphere,
    Torus,
    outline,
    surface,
)
from tinkerdyne.objects.splines import Bezier, BSpline, Line
from tinkerdyne.objects.troids import block, picture, sheet
from tinkerdyne.objects.typed import typed_curve
from tinkerdyne.optimise.fit import Fit
from tinkerdyne.optimise.model import Model
from tinkerdyne.optimise.settle import settle
from tinkerdyne.optimise.snake import Snake
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

__all__ = [
    "PI",
    "TAU",
    "Accuracy",
    "Add",
    "Anything",
    "Arc",
    "Assembly",
    "Axes",
    "BSpline",
    "Bezier",
    "Bowl",
    "Box",
    "Capsule",
    "Card",
    "Change",
    "Choice",
    "Circle",
    "Compound",
    "Cone",
    "Configure",
    "ContactEvent",
    "Control",
    "Curve",
    "Cylinder",
    "Description",
    "Diagnosis",
    "Direction",
    "Disc",
    "Display",
    "Edit",
    "Ellipse",
    "Event",
    "Fit",
    "Floor",
    "FormatError",
    "FormulaError",
    "Frame",
    "FrameValue",
    "Grip",
    "HeightField",
    "Helix",
    "Item",
    "Jump",
    "Line",
    "Meeting",
    "Meetings",
    "Mesh",
    "Model",
    "Move",
    "Nail",
    "Nonsquare",
    "Number",
    "Particle",
    "Particles",
    "Place",
    "Plan",
    "PlanarBody",
    "PlanarFloor",
    "PlanarRod",
    "Plate",
    "Point",
    "Polygon",
    "Ramp",
    "Rate",
    "ReadModel",
    "Recording",
    "Rectangle",
    "Remove",
    "Rename",
    "Result",
    "RigidBody",
    "Rod",
    "SVGError",
    "Scalar",
    "SceneError",
    "Several",
    "Size",
    "Snake",
    "Sphere",
    "Spiral",
    "Status",
    "Stop",
    "Superellipse",
    "TiltedEllipse",
    "Torus",
    "Troid",
    "Unit",
    "Variable",
    "Vector",
    "Wall",
    "World",
    "acceleration",
    "acos",
    "across_between",
    "align",
    "angle",
    "angle_between",
    "area_of",
    "area_within",
    "asin",
    "at_least",
    "at_most",
    "atan",
    "atan2",
    "attach",
    "attraction",
    "ball",
    "behavior",
    "bend_between",
    "between",
    "block",
    "box_drag",
    "bushing",
    "component",
    "connect",
    "connector",
    "constraint",
    "contact",
    "contact_area",
    "contact_force",
    "control",
    "convex_parts",
    "conveyor",
    "coordinate",
    "cos",
    "cosh",
    "cross",
    "curve",
    "curve_point",
    "curves_from_dxf",
    "curves_from_svg",
    "cylindrical",
    "damper",
    "damping",
    "direction",
    "direction_path",
    "distance",
    "distance_between",
    "dot",
    "drag",
    "drive",
    "dry_friction",
    "edge",
    "elastic",
    "energy",
    "equal",
    "equal_area",
    "equal_length",
    "equal_radius",
    "equation",
    "exp",
    "field",
    "follow",
    "force",
    "formula",
    "formula_energy",
    "formula_force",
    "frame",
    "friction",
    "gear",
    "gravity",
    "group",
    "held",
    "if_else",
    "ignore",
    "join",
    "joint",
    "keep_volume",
    "lag",
    "lagrangian",
    "length_of",
    "link",
    "lock",
    "log",
    "match",
    "material",
    "mesh_from_file",
    "middle",
    "mirror_images",
    "mirror_points",
    "mirrored",
    "mirrored_curve",
    "motor",
    "moving",
    "nail",
    "norm",
    "normal",
    "normalise",
    "number_of",
    "number_path",
    "on_axis",
    "on_curve",
    "on_face",
    "on_line",
    "on_plane",
    "orient",
    "outline",
    "pairing",
    "parameter_of",
    "particle_of",
    "path",
    "perpendicular",
    "photo",
    "picture",
    "pin",
    "place",
    "planar",
    "point",
    "polyline",
    "prismatic",
    "pull",
    "push_body",
    "rack",
    "read_model",
    "roll",
    "rope",
    "rotation_between",
    "save_svg",
    "scalar_spring",
    "screw",
    "serial",
    "serial_coordinate",
    "servo",
    "settle",
    "shape_drag",
    "sheet",
    "sheets_from_dxf",
    "sheets_from_svg",
    "sin",
    "sinh",
    "slide_between",
    "slider",
    "sliding_tangent",
    "speed",
    "sphere_on_plane",
    "spin",
    "spin_drag",
    "spring",
    "sqrt",
    "squared_distance",
    "stack",
    "surface",
    "surface_grid",
    "surface_normal",
    "surface_point",
    "surface_slider",
    "svg_of",
    "swing_between",
    "tan",
    "tangent",
    "tangential",
    "tanh",
    "through",
    "torque",
    "torsion_spring",
    "touch",
    "touching",
    "tug",
    "turn_between",
    "twist",
    "twist_body",
    "typed_curve",
    "typed_surface",
    "universal",
    "vec",
    "velocity",
    "volcano",
    "weld",
    "within",
    "world_direction",
    "world_frame",
    "write_model",
]


# Folders that have other names now, for scripts that went past the door.
_ELSEWHERE = {
    "hinge": "a joint that turns about one axis is a pin: world.add(pin(a, b))",
    "revolute": "a joint that turns about one axis is a pin: world.add(pin(a, b))",
    "load": "write World.load('scene.json')",
    "Sketch": "write from tinkerdyne.sketch import Sketch",
    "TreeSketch": "write from tinkerdyne.sketch import TreeSketch",
    "help": "write help(tinkerdyne.spring)",
    "fixed": "write Rod('rod', is_fixed=True), or weld(a, b)",
}
_MOVED = {"medium": "optimise", "kernel": "compiler", "integrate": "engine.steppers", "plotting": "drawing"}


def __dir__() -> list[str]:
    """What completion offers: the public names, none of what this file is made of."""
    return [*__all__, "studio"]


def __getattr__(name: str) -> Any:
    """The studio, imported when it is first asked for: tinkerdyne.studio(world); and the version."""
    if name == "studio":
        import importlib

        return importlib.import_module("tinkerdyne.studio")
    if name == "__version__":
        from importlib.metadata import version

        return version("tinkerdyne")
    if name in _MOVED:
        raise AttributeError(
            f"tinkerdyne.{name} is now tinkerdyne.{_MOVED[name]}; what is public is in tinkerdyne itself: "
            "from tinkerdyne import Fit"
        )
    from tinkerdyne.language.checks import did_you_mean

    if name in _ELSEWHERE:
        raise AttributeError(f"tinkerdyne has no {name!r}; {_ELSEWHERE[name]}")
    raise AttributeError(f"tinkerdyne has no {name!r}{did_you_mean(name, __all__)}")
