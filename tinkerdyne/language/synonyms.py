"""What other programs call things, and the words for them here: a refusal names the word."""

from __future__ import annotations

from collections.abc import Collection

# Each word of ours, with the words that others have for it.
OURS = {
    # parameters and parts of the state
    "value": "val position pos location place",
    "at": "place location position point anchor",
    "damping": "damper c d b viscosity",
    "density": "rho",
    "friction": "mu friction_coefficient",
    "g": "gravity acceleration",
    "inertia": "moment_of_inertia",
    "is_fixed": "static frozen kinematic immovable anchored is_static",
    "is_on": "enabled active is_active is_enabled on",
    "length": "rest_length l l0 distance dist long height",
    "limit": "max_force max_torque force_limit",
    "mass": "m weight kg",
    "orientation": "rotation quaternion quat rot attitude q",
    "angle": "rotation orientation theta rot",
    "position": "x y z location translation xyz place pos",
    "radius": "r rad diameter width thickness",
    "restitution": "e bounciness elasticity bounce",
    "size": "width height depth dimensions extents half_extents dims scale",
    "speed": "rate rpm",
    "spin": "omega angular_velocity angular_speed w rotvel ang_vel",
    "stiffness": "k spring_constant ks kp",
    "velocity": "v vel linear_velocity",
    "vertices": "corners points verts nodes",
    # readings
    "force": "tension lambda_ lam reaction_force load",
    "gap": "error violation residual",
    "turn": "angle theta rotation",
    "energy": "E total_energy",
    "freedoms": "dof dofs degrees_of_freedom",
    "kinetic_energy": "T ke kinetic",
    "potential_energy": "U V pe potential",
    "time": "t now",
    "items": "all things contents",
    # types and other names of the door
    "Box": "Cube Cuboid Block Brick",
    "Capsule": "Pill",
    "Floor": "Ground Plane HalfSpace GroundPlane Halfspace",
    "Nail": "Anchor Place FixedPoint",
    "Particle": "PointMass Mass MassPoint Dot",
    "PlanarBody": "Body2D RigidBody2D",
    "PlanarFloor": "Ground2D Floor2D",
    "RigidBody": "Body",
    "Rod": "Bar Link Stick",
    "Sphere": "Ball",
    "World": "Simulation Simulator Space Engine Physics",
    "ball": "SphericalJoint BallJoint spherical ball_joint",
    "connect": "attach fix_point coincident point_to_point",
    "contact": "collision collisions collide Contact",
    "damper": "dashpot Dashpot",
    "drag": "air_resistance",
    "drive": "actuator",
    "gravity": "Gravity",
    "pin": "Hinge HingeJoint Revolute RevoluteJoint PinJoint PivotJoint pivot",
    "prismatic": "slider Slider SliderJoint PrismaticJoint GrooveJoint",
    "pull": "Force apply_force constant_force",
    "rope": "Rope Cable cable string",
    "spring": "DampedSpring",
    "weld": "FixedJoint WeldJoint glue rigid Weld",
}
_THEIRS: dict[str, list[str]] = {}
for _word, _others in OURS.items():
    for _other in _others.split():
        _THEIRS.setdefault(_other, []).append(_word)

COLOURS = "colours are chosen by the studio, and no parameter sets them"
# What others let a thing do by a method of its own, and the line for it here, where {} is the thing.
DONE_ELSEWHERE = {
    "remove": "to take it out write world.remove({})",
    "delete": "to take it out write world.remove({})",
    "destroy": "to take it out write world.remove({})",
    "copy": "make another with its type",
    "clone": "make another with its type",
    "apply_force": "write world.add(pull({}.centre, by=(1, 0, 0)))",
    "add_force": "write world.add(pull({}.centre, by=(1, 0, 0)))",
    "apply_impulse": "write world.impulse({}.centre, (1, 0, 0))",
    "set_position": "write {}.position = (0, 0, 1)",
    "set_velocity": "write {}.velocity = (0, 0, 1)",
    "get_position": "read {}.position",
    "get_velocity": "read {}.velocity",
    "move": "write {}.position = (0, 0, 1)",
    "translate": "write {}.position = (0, 0, 1)",
    "set": "write {}.mass = 2.0",
    "parameters": "read {}.type.parameters for all of them, {}.mass for one",
}
# What others have of a body by a word that is ours for something else.
NOT_OF_BODIES = {
    "acceleration": "after run = world.record(1.0) write np.gradient(run['{}.velocity'], run.time, axis=0)",
    "speed": "write np.linalg.norm({}.velocity)",
    "momentum": "write {}.mass * np.array({}.velocity)",
    "force": "joints have forces: hinge.force; to push write world.add(pull({}.centre, by=(1, 0, 0)))",
    "torque": "to turn it write world.add(twist({}, by=(0, 0, 1)))",
    "add_torque": "write world.add(twist({}, by=(0, 0, 1)))",
    "apply_torque": "write world.add(twist({}, by=(0, 0, 1)))",
    "energy": "read world.energy, which is that of all",
    "kinetic_energy": "read world.kinetic_energy, which is that of all",
    "rotate": "write {}.orientation = (0.7071, 0, 0, 0.7071), a quaternion; in the plane {}.angle = 1.57",
    "friction": "write world.add(material({}, friction=0.5)), or contact(friction=0.5) for all bodies",
    "restitution": "write world.add(material({}, restitution=0.5)), or contact(restitution=0.5) for all",
    "color": COLOURS,
    "colour": COLOURS,
}


def of_body(name: str, mine: str) -> str:
    """What to write instead of something that bodies do not have; nothing where that is not known."""
    return (DONE_ELSEWHERE.get(name) or NOT_OF_BODIES.get(name, "")).replace("{}", mine)


def our_word(theirs: str, among: Collection[str]) -> str:
    """The word here for what others call so, if it is among some names; else nothing."""
    return next((word for word in _THEIRS.get(theirs, ()) if word in among), "")
