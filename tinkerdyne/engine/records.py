"""What lies where in the two arenas: I (int64, the structure) and S (float64, the numbers).

Python and compiled code see them through the same records. I begins with the header `Index`: counts, first
places of tables in I, and first places of vectors in S. S begins with the `Scalars`; then come whole vectors,
then the blocks.
"""

from __future__ import annotations

from tinkerdyne.compiler.records import FloatRecord, IntRecord, Ints, cells
from tinkerdyne.language.block import ConstraintKind

HUB_DEGREE = 8  # objects with more constraints stay in the KKT matrix (docs/design.md, the linear system)
ROW_VECTORS = 32
VEL_VECTORS = 18
POS_VECTORS = 4
STAGES = 18  # DOP853 with dense output keeps 16, and two states


# --- the header of I -----------------------------------------------------------------------------
class Index(IntRecord):
    """The header of I: how many there are of everything, and where it lies."""

    nq: int  # length of q
    nv: int  # length of v
    nr: int  # constraint rows
    n_objects: int
    n_constraints: int
    n_jacobians: int  # blocks of J
    objects: int  # tables in I
    constraints: int
    jacobians: int
    n_object_batches: int
    object_batches: int
    n_block_batches: int  # of connectors and constraints, by level
    block_batches: int
    n_behavior_batches: int
    behavior_batches: int
    n_compositions: int  # steps of the composition of Jacobians
    compositions: int
    n_pulls: int  # pulling forces back
    pulls: int
    n_dampings: int  # pulling damping (or stiffness) blocks back
    dampings: int
    n_contributions: int  # contributions J W Jᵀ to the blocks of A
    contributions: int
    n_nodes: int  # nodes of the KKT graph, with tables of their sizes, …
    node_sizes: int
    node_last: int
    node_signs: int
    node_diagonals: int
    n_pairs: int  # off-diagonal blocks
    pair_rows: int
    pair_columns: int
    pair_places: int
    n_hub_copies: int  # hubs' blocks of J, copied into the matrix
    hub_copies: int
    by_uid: int  # uid → object, or → record of a block
    ints_used: int
    q: int  # vectors in S: the state, …
    v: int
    q0: int  # … the state at the start of a step, …
    v0: int
    qdot: int
    gyro: int
    lifts: int
    n_lifts: int
    force: int  # applied generalised force Q
    row_vectors: int  # work vectors of nr rows
    node_vector: int  # in node order (rows, then hubs)
    velocity_vectors: int  # work vectors of nv
    position_vectors: int  # work vectors of nq
    matrix: int  # blocks of the KKT matrix
    n_matrix: int
    scale: int  # reference diagonal
    stages: int  # of Runge–Kutta methods
    lifts0: int  # lifts kept by the energy–momentum step
    floats_used: int  # by the index; the factor store follows
    records: int
    has_damping: int
    mass_varies: int
    n_hubs: int
    order: int
    nonsquare: int
    moves: int
    n_node_rows: int
    plan: int  # of the LDLᵀ
    store: int  # of the factor
    damping_blocks: int
    n_effort: int
    ints_wanted: int  # when I was too small
    cg: int
    stops: int  # one-sided constraints
    jumps: int  # formulas of time that may jump
    winds: int  # connectors that count turns
    rates: int  # constraints on velocities
    is_constant: int  # J and M do not change: the matrix is factored once (ID90 §5.4)
    next_float: int  # where the index is while it is made
    next_table: int
    pool: int
    n_pool: int
    capacity: int
    n_couplings: int  # stiffness between the inputs of a behavior
    couplings: int
    tangent: int  # where the tables of the tangent matrix begin, or 0 (engine.tangent)
    unbalanced: int  # potential energies change by themselves: no balance of energy can be struck
    works: int  # forces have no potential
    svd: int  # room of the dense solver, or 0
    unused: Ints = cells(11)


# --- the scalars of S ----------------------------------------------------------------------------
class Scalars(FloatRecord):
    """The first numbers of S: time, settings, and what the steppers remember."""

    time: float
    step: float
    damping_share: float  # of C in the tangent matrix, …
    stiffness_share: float  # … and of K
    feedback: float  # 0 none (projection holds the constraints), 1 inside the multiplier equation, 2 outside
    tolerance: float  # of |c| in a step
    theta: float  # of the energy–momentum step
    energy: float  # potential energy last evaluated
    kinetic: float
    largest_kinetic: float  # largest kinetic energy met, the measure of the energy guard
    gap: float  # |c − r| after the last step
    replaced: float  # pivots that had vanished in the last factor
    wait: float  # steps before the careful scheme is left again
    backoff: float
    ready: float  # J, forces and energies of the present state are at hand (OBSERVED), and the factor (1)
    count_newton: float  # what the steps took
    count_em: float
    count_lm: float
    count_steps: float
    rtol: float  # adaptive methods
    atol: float
    next_step: float
    nonconserved: float  # work of forces without potential in the last step
    power: float
    solver: float  # 0 LDLᵀ, 1 conjugate gradients, 2 singular values
    cg_limit: float
    cg_tolerance: float
    cg_done: float
    count_finer: float  # steps redone in parts
    soft: float  # steps left with the softer matrix
    parts: float  # of a first-order step
    calm: float  # steps since a first-order step went uphill
    yielding: float  # constraints that yield
    stuck: float  # steps in a row that could not be closed
    yield_tau: float  # time constant of their springs
    springs: float  # how many of them are springs; the others are open stops
    impact: float  # whether a stop was hit in this step
    jump_size: float  # the widest jump of a moving constraint
    jump_row: float
    jump_time: float
    jump_kind: float  # of its place (0) or velocity (1)
    started: float  # Störmer's method has a displacement to go on from
    corrections: float  # geometric iterations of its step at most
    cg_warm: float  # conjugate gradients begin with the last solution
    played: float  # whether events of the timeline were carried out, …
    played_time: float  # … and up to when
    trial: float  # steps to the next trial of making springs exact
    trial_wait: float  # steps between trials
    factored: float  # ε of the factor at hand, where nothing has changed since
    count_factor: float
    wants_tangent: float  # a step could not go on without the tangent matrix, and was taken back
    unkicked: float  # the largest share of the velocity by which an implicit kick of damping fell short
    together: float  # kicks that go straight to the tangent matrix
    compliance: float  # α of the compliant step [SI], and the load for which it was chosen
    load: float
    taut: float  # steps left by the compliant step before RATTLE is tried again, …
    taut_wait: float  # … and how many there were the last time
    count_taut: float
    snaps: float  # recent steps that took many parts
    stretch: float  # energy ½ α λ² that the last step left in taut constraints, …
    start_stretch: float  # … and the one before it
    redundant: float  # whether some rows say what others say: 0 not known, 1 no, 2 yes
    disagreement: float  # what one solve left of the last right-hand side, as a share of it
    crossed: float  # the stop that was passed first
    whole_step: float  # the step that the present one is a part of
    kept_time: float  # when the state was kept that a step began with
    left: float  # residual of the last accelerations
    balance: float  # E₁ − E₀ − W of all steps, signed (the accounts: steppers.accuracy)
    slack: float  # how far W may be off
    imbalance: float  # the largest |balance| met beyond the slack
    turnover: float  # its measure: the largest kinetic energy, or what forces do to free parts in a step
    path: float  # Σ h |v|
    path_error: float
    swing: float  # the largest hω of the motion itself
    turn: float  # the largest hω of a body's rotation
    residual: float  # the largest of the forces' equation, relative
    most_gap: float
    looks: float  # at the path
    hits: float  # of stops in this step
    driven: float  # constraints do work in this step (1), or do work that is not known (2)
    phase: float  # of the looks at the path
    led: float  # whether J v of the step's end is at hand
    start_energy: float  # at the start of this step
    start_power: float
    start_springs: float
    is_noted: float  # whether the start of this step is noted
    instead: float  # whether RATTLE took this step, in place of its method or as it
    tried_step: float  # of the adaptive method, that was not taken; 0 after one that was, …
    tried_error: float  # … and its error
    is_noisy: float  # whether a shorter step did not make that smaller
    unbounced: float  # hits that should bounce, and did not, since Störmer's method lets nothing
    cg_stop: float  # what conjugate gradients stop by: 0 residual, 1 correction, 2 forces
    loose: float  # how far the work of moving constraints may be off in this step
    start_careful: float  # steps that were not taken by the method itself, before this one
    implicit_step: float  # step of the implicit method whose λ is in the constraints' memory; 0 for none
    step_error: float  # the largest of a place in one of its steps, which is divided to keep it; 0 for any
    touched: float  # whether this step was one with contact, whose work is known
    suspect: float  # looks at the forces of constraints that have been begun (steppers.shaking)
    strength: float  # the square of these forces
    stretched: float  # the largest energy in taut constraints
    shake: float  # how far they are off what the steps show, as a share of them
    unsteady: float  # by how much Newton's method changed impulses in this step, as a share of the largest
    pause: float  # steps until forces may be looked at again for that
    last_step: float  # the length of the step before this one; 0 for none
    heaviest: float  # how far dampers and springs outweighed a mass in the matrix of a step, at most
    opened: float  # the widest gap of the steps just taken, where that is one that counts, …
    opened_row: float  # … and the row that it was in
    moved: float  # the largest kinetic energy


SCRATCH = Scalars.size  # small matrices of one object
KEPT = SCRATCH + 56  # the scalars at the start of a step that may be taken back, up to the end of them all
SCALARS = KEPT + SCRATCH


class Row:
    """Work vectors of nr rows, by number."""

    RES, LAMBDA, DELTA, RHS, WORK, LAM, REF, REF1, REF2, SAVE, MU, TRY, LIFTED, BEFORE, CLOSING = range(15)
    LED = 15  # J v of constraints that move by themselves
    # of stops: c at the start of a part of a step and at two places looked at; how often each was hit and let
    # go in this step; and of an impact: ċ before it, whether the stop is touched, and whether asked to hold,
    # and its impulses
    ROOM, ROOM_BEFORE, ROOM_AFTER, HITS, RELEASES = range(16, 21)
    RATE, TOUCHED, ASKED, INELASTIC, ELASTIC, IMPULSE = range(21, 27)
    MEMORY = 27  # five: what stops remembered at the start of a step


class Vel:
    """Work vectors of nv, by number."""

    TOTAL, ACC, WORK, SAVE, START, KICK, TRY, EXTRA, BEFORE, ROUGH, IMPULSE, KEPT = range(12)
    STRUCK, INELASTIC, ASKED = 12, 13, 14  # of an impact: before it, without a bounce, and where one began
    UNSETTLED = 15  # of compliant steps, while RATTLE is tried after them
    FIRST, WANTED = 16, 17  # where forces are looked at: v before, and M v̇ of the state


# --- tables --------------------------------------------------------------------------------------
class Object(IntRecord):
    """An object: where its state, lift and masses lie, and its place in the graph.

    W and M of most objects are diagonal; their diagonals stand side by side, so that a step touches two cache
    lines instead of ten.
    """

    table = "objects"
    q: int
    v: int
    nq: int
    nv: int
    lift: int
    M: int
    W: int
    flags: int
    hub: int  # node, or −1
    incidence: int  # first
    n_incidences: int
    damping: int  # block
    diagonals: int  # of W, then of M


class Flag:
    """Flags of objects."""

    FIXED, DIAGONAL, LINEAR, VARIES, RIGID, PLANAR = 1, 2, 4, 8, 16, 32


class Constraint(IntRecord):
    """A constraint: its rows, record, memory and blocks of J."""

    table = "constraints"
    row: int
    dim: int
    record: int
    memory: int
    tau: int  # place of τ; k_s and k_d follow it
    jacobian: int  # first block of J
    n_jacobians: int
    effort: int
    kind: int
    restitution: int  # its place
    limit: int  # of dry friction: its place


Kind = ConstraintKind


class Hold:
    """Whether the rows of a constraint are in the multiplier equation: in; out as a spring (it cannot be
    met); out as an open stop; in, just hit."""

    EXACT, SPRING, OPEN, HIT = 0.0, 1.0, 2.0, 3.0


class Holding(FloatRecord):
    """The end of a constraint's memory, behind μ, c₀ and ċ₀ of its rows: how they are held."""

    since: float  # t₀
    hold: float  # one of Hold


class StopMemory(FloatRecord):
    """The memory of a stop, which has one row."""

    mu: float
    c0: float
    rate0: float
    since: float
    hold: float


class StopValue(FloatRecord):
    """What the record of a stop begins with: c and ċ."""

    c: float
    rate: float


def memory_width(d: int) -> int:
    """Length of a constraint's memory: μ (d), c₀ (d), ċ₀ (d), t₀, and how it is held."""
    return 3 * d + Holding.size


class Jacobian(IntRecord):
    """A block of J: the rows of one constraint on one object."""

    table = "jacobians"
    row: int
    dim: int
    v: int
    nv: int
    J: int
    object: int
    G: int  # W Jᵀ
    constraint: int


class ObjectKernels(IntRecord):
    """All objects of one type: the kernels, and where q and v begin."""

    table = "object_batches"
    n: int
    offsets: int
    lift: int
    qdot: int
    mass: int
    gyro: int
    drift: int
    normalise: int
    q: int
    v: int
    nq: int
    nv: int
    flags: int
    first: int  # object


class BlockKernels(IntRecord):
    """All connectors or constraints of one block at one level, with its kernels."""

    table = "block_batches"
    n: int
    offsets: int
    value: int
    motion: int
    full: int
    spatial: int
    effort: int
    family: int
    wind: int


class BehaviorKernels(IntRecord):
    """All behaviors of one block, with its kernels."""

    table = "behavior_batches"
    n: int
    offsets: int
    force: int
    damping: int
    stiffness: int
    stride: int  # of the offset table
    spatial: int  # force with rotations in world axes
    is_field: int


class Composition(IntRecord):
    """A step of the composition of Jacobians: J of a block from Df and J of its input."""

    table = "compositions"
    kind: int
    target: int
    rows: int
    columns: int
    Df: int
    inner: int
    J: int


class Composed:
    """What a composition does: y = Df J, y += Df J, y = J, y += J, y = −J, y −= J."""

    PRODUCT, ADD_PRODUCT, COPY, ADD, NEGATIVE, SUBTRACT = range(6)


class Pull(IntRecord):
    """A force of a behavior that is pulled back to an object."""

    table = "pulls"
    force: int
    inner: int  # rows of J, or 0: the force is a generalised one already
    J: int
    v: int
    nv: int


class Damping(IntRecord):
    """A square block of a behavior's damping or stiffness that is pulled back to an object."""

    table = "dampings"
    block: int
    inner: int  # rows of J, or 0: the block is a generalised one already
    J: int
    object: int


class Coupling(IntRecord):
    """Stiffness between two inputs of a behavior."""

    table = "couplings"
    sums: int  # its row sums
    first: int  # of the dampings through which the first input reaches objects
    count: int


class Contribution(IntRecord):
    """A contribution J W Jᵀ of one object to a block of A."""

    table = "contributions"
    target: int
    J: int
    G: int
    d1: int
    d2: int
    nv: int
    is_diagonal: int


class HubCopy(IntRecord):
    """A hub's block of J that is copied into the matrix."""

    table = "hub_copies"
    target: int
    source: int
    count: int  # numbers


class Way(IntRecord):
    """How a block depends on an object: an entry of the pool, while the index is made."""

    table = "pool"
    object: int
    block: int
    is_own: int  # whether that place is the sum's own


# --- offset tables of kernels ----------------------------------------------------------------------
class ObjectOffsets(IntRecord):
    """Where the kernels of an object find it."""

    q: int
    v: int
    lift: int
    parameters: int
    mass: int
    gyro: int
    qdot: int
    q0: int
    v0: int


class BlockOffsets(IntRecord):
    """Where the kernels of a block find an instance; the inputs follow."""

    parameters: int
    record: int


class InputOffsets(IntRecord):
    """Where a kernel finds the value and the velocity of one input."""

    value: int
    velocity: int


class FieldOffsets(IntRecord):
    """Where the kernels of a field find it and one object."""

    parameters: int
    record: int
    value: int
    velocity: int
    object: int  # the object's own parameters
    unused: int


# --- batch description given to the index --------------------------------------------------------
class Family:
    """Families of batches."""

    OBJECT, CONNECTOR, CONSTRAINT, BEHAVIOR, FIELD = range(5)


class BatchHead(IntRecord):
    """The description of a batch; its ports follow, then uids, then inputs (or which objects are fixed)."""

    length: int
    family: int
    n: int
    dim: int
    nq: int
    nv: int
    np: int  # parameters
    record: int  # length
    ports: int
    flags: int  # of objects, behaviors; of constraints the number of efforts
    memory: int
    kernels: Ints = cells(6)
    kind: int
    restitution: int  # offset among the parameters, or −1
    parameters: int  # out: first places in S of the batch's parameters, …
    memories: int
    records: int
    limit: int  # of dry friction: offset among the parameters, or −1
    unused: int


class Effect:
    """Flags of behaviors."""

    DAMPS, COUPLES = 1, 2


class PortEntry(IntRecord):
    """One input of a batch's block."""

    dim: int
    nv: int  # 0 where the input is no object
    place: int  # of its derivative (or force) in the record
    sign: int  # ±1 where the derivative is ± the identity
