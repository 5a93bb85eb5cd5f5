"""Records that join a world to detection and to the contact solver.

T (int64) begins with a `Touching`: which object is which body of the detection and which body of the solver.
Y (float64) begins with `TouchValues`; surfaces' constants and impulses follow.
"""

from __future__ import annotations

from tinkerdyne.compiler.records import FloatRecord, Floats, IntRecord, cells

RECALLED = 2  # contacts are known, from memory; the problem is not


class Touching(IntRecord):
    """The head of T."""

    n_bodies: int  # of the detection
    bodies: int  # T: TouchingBody rows
    n_movers: int  # bodies of the solver: the objects that are not fixed
    movers: int  # T: their objects
    materials: int  # Y: Material rows, one a surface
    impulses: int  # Y: of the contacts, three numbers each, in the world …
    old_impulses: int  # Y: … and those of the contacts before
    holds: int  # Y: of each contact, whether it is left open, since it is to bounce
    bounced: int  # Y: velocities of the problem, …
    inelastic: int  # … twice
    has_bounce: int  # some surfaces bounce
    frames: int  # Y: (n, t1, t2) of the contacts, nine numbers each
    problem_room: int  # words of P, …
    work_room: int  # … of its work space, …
    float_room: int  # … and floats of X
    is_found: int  # contacts of the present state are at hand: 1, or RECALLED
    wants_push: int  # something overlaps too deeply
    wanted: int  # why a step was taken back: what meet() answered
    n_open: int  # islands that were left above their tolerance, of all steps so far
    worst_a: int  # the bodies of the contact with the largest residual, …
    worst_b: int
    factorings: int
    solves: int
    blows: int  # Y: of each contact, 0 where it is open, 1 + e where it is struck, else −1
    columns: int  # Y: velocities that unit impulses at single blows give, three times, and room for a matrix
    rests: int  # Y: of each mover, how long it has rested [s]; below 0 it sleeps
    pulls: int  # Y: the forces on everything, as they were when it fell asleep
    sleeping_places: int  # Y: and q
    reaches: int  # Y: of each mover, how far its surfaces reach
    n_asleep: int
    may_sleep: int
    has_dry: int  # some constraints are dry friction: every step is one with contact
    stops_bounce: int  # some stops bounce
    n_pairings: int  # pairs of bodies with constants of their own
    pairings: int  # T: their keys n_bodies·a + b with a < b, in rising order, …
    pair_materials: int  # … Y: and Material rows
    has_belts: int  # some surfaces move
    n_watches: int
    watches: int  # T: Watch rows, engine.contact.watching
    is_heard: int  # somebody listens to blows, …
    n_heard: int  # … and so many are written down of the last step, …
    heard: int  # … Y: Blow rows, engine.contact.blows
    is_bent: int  # the bends of the contacts count, engine.contact.bending
    departures: int  # Y: of each contact three numbers, in the world; …
    arrivals: int  # … of those at the end of a drift, …
    bends: int  # … and what is added to b
    dips: int  # Y: the same along the normal, the first of three numbers; at the start …
    rises: int  # … and at the end
    overlap_a: int  # the bodies that overlapped most deeply after a step
    overlap_b: int
    n_met: int  # contacts that detection found; turns stand behind them
    no_direction: int  # Y: three zeros
    has_turns: int  # some surfaces have rolling or spinning friction
    ends: int  # Y: the gap of each contact at the end of a drift, or infinity where it is none
    tried_impulses: int  # Y: those of the contacts before the last look
    retakes: int  # kicks that were taken again, of all steps so far, …
    divisions: int  # … and how often steps were halved


class TouchingBody(IntRecord):
    """A body of the detection."""

    table = "bodies"
    object: int
    mover: int  # −1 where it is fixed
    reach: int  # Y: how far its surfaces reach from its origin


class TouchValues(FloatRecord):
    """The head of Y."""

    residual: float  # the largest that was left [m/s], of the steps that are told about
    work: float  # of contacts in this step [J]
    slop: float  # m: a patch is kept while its bodies have moved less
    gained: float  # the largest energy that a solution gained [J]
    deepest: float  # the deepest overlap met [m]
    whole: float  # the whole step [s]
    taken: float  # how far a part of a step went [s]
    jolt: float  # the largest change of an approach in this kick [m/s]
    pull: float  # what forces do to a velocity in this kick, at most [SI]
    overlap: float  # the deepest overlap after a step, of the steps that are told about [m]


class Material(FloatRecord):
    """What a surface is like to others."""

    friction: float
    restitution: float
    rolling: float  # m
    spinning: float  # m
    velocity: Floats = cells(3)  # of the surface itself, in its body's axes [m/s]
