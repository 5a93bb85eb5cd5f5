"""Records that join a world to detection and to the contact solver.

T (int64) begins with a `Touching`: which object is which body of the detection and which body of the solver.
Y (float64) begins with `TouchValues`; surfaces' constants and impulses follow.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import inlined
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
    bends: int  # Y: Bend rows of the contacts, …
    tried_bends: int  # … of those before the last look, …
    arrivals: int  # … and of each three numbers that the end of a drift adds, engine.contact.bending
    overlap_a: int  # the bodies that overlapped most deeply after a step
    overlap_b: int
    n_met: int  # contacts that detection found; turns stand behind them
    no_direction: int  # Y: three zeros
    accounts: int  # Y: two Account rows, of the step and of a drift within it
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
    pushed: float  # by contacts in the kicks of a part of it [J]
    slop: float  # m: a patch is kept while its bodies have moved less
    gained: float  # the largest energy that a solution gained [J]
    deepest: float  # the deepest overlap met [m]
    whole: float  # the whole step [s]
    deep: float  # the overlap that is nothing to it: a part of it is measured as all of it is [m]
    left: float  # the overlap for which it was taken back [m]
    taken: float  # how far a part of a step went [s]
    jolt: float  # the largest change of an approach in this kick [m/s]
    pull: float  # what forces do to a velocity in this kick, at most [SI]
    overlap: float  # the deepest overlap after a step, of the steps that are told about [m]


class Bend(FloatRecord):
    """What the curved way of a contact adds to its b."""

    way: Floats = cells(3)  # along the surface, in the world [m/s]
    up: float  # along the normal, which turns too [m/s]
    kind: float  # of its way, a `Course`
    depth: float  # by which its bodies overlap at the end of the drift [m]


class Course:
    """How a contact goes through a drift: as any other; along both bodies; it is an old one that has rolled
    on; it comes in from the side, and lies behind the surface as seen from the start; nothing of its island
    is worth another solution."""

    PLAIN, ROLLS, ROLLED_ON, SIDEWAYS, KEPT = 0.0, 1.0, 2.0, 3.0, 4.0


class Account(FloatRecord):
    """What is said of a step so far; what a kick adds that is taken back is not said."""

    work: float
    pushed: float
    residual: float
    gained: float
    n_open: float
    worst_a: float
    worst_b: float
    n_heard: float


@inlined
def keep_account(T: Touching, values: TouchValues, account: Account) -> None:
    """Note what is said so far."""
    account.work, account.residual, account.gained = values.work, values.residual, values.gained
    account.pushed = values.pushed
    account.n_open, account.n_heard = float(T.n_open), float(T.n_heard)
    account.worst_a, account.worst_b = float(T.worst_a), float(T.worst_b)


@inlined
def take_account_back(T: Touching, values: TouchValues, account: Account) -> None:
    """Say no more than was noted."""
    values.work, values.residual, values.gained = account.work, account.residual, account.gained
    values.pushed = account.pushed
    T.n_open, T.n_heard = int(account.n_open), int(account.n_heard)
    T.worst_a, T.worst_b = int(account.worst_a), int(account.worst_b)


class Material(FloatRecord):
    """What a surface is like to others."""

    friction: float
    restitution: float
    rolling: float  # m
    spinning: float  # m
    velocity: Floats = cells(3)  # of the surface itself, in its body's axes [m/s]
