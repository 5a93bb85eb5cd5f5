"""One contact problem: bodies, exact joints and contact points, and where their numbers lie.

    M (v − v_free) = Jᵀλ + Σ Hᵀr,   J v = target,   and at every contact   K_μ* ∋ u + μ |u_t| n ⊥ r ∈ K_μ,
    u = H v + b   in the frame (n, t1, t2),   K_μ = { r : |r_t| ≤ μ r_n }.

A step calls it like this (RATTLE's velocity step is to be the next caller):

1.  Write into the header how many bodies, joints, links (a joint's block on one body) and contacts there are,
    and `contact_room` (most contacts, so that tables stay where they are while contacts come and go);
    `lay_out_tables` gives the tables their places.
2.  Write `Body.rows`, `Joint.rows`, `Link.joint`, `Link.body` (links joint by joint) and `Contact.a`,
    `Contact.b`, two different bodies of which one may be −1: the ground, or anything whose velocity is given
    (that velocity goes into b).
3.  `contact_prepare` finds the pairs, the order of elimination and the islands. While the pairs of bodies are
    those of the last call the order stays, and this costs next to nothing.
4.  Write the numbers: `v` (velocities before the step) and `v_free` (with all forces but these), M of each
    body, J of each link, `target`, the bounds and the last λ of each joint row, and of each contact H of both
    bodies (the sign included: u = H_a v_a + H_b v_b + b), b, μ, and the last impulse r as a guess.
5.  `contact_solve`: v, λ and r are the answer; every island says its residual [m/s], what energy it gained,
    its worst contact and how many factorings it took.

All vectors over velocities are padded: a body has `width` places, a multiple of 4, and its blocks have rows
of that length, whose padding must be 0.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import compiled, entry
from tinkerdyne.compiler.records import FloatRecord, Floats, IntRecord, cells


class Problem(IntRecord):
    """The header: how many there are of everything, and where it lies in the whole numbers and the floats."""

    words: int  # of whole numbers, of work and of floats that are wanted
    work_words: int
    floats: int
    n_bodies: int
    n_joints: int
    n_links: int
    n_contacts: int
    contact_room: int
    n_pairs: int
    n_islands: int
    n_edges: int  # of the plan: pairs, then links
    bodies: int  # tables
    joints: int
    links: int
    contacts: int
    pairs: int
    islands: int
    heads: int  # of each body, the first of its pairs with later bodies
    body_list: int  # lists, island by island
    joint_list: int
    contact_list: int
    node_islands: int
    node_sizes: int
    edge_rows: int
    edge_columns: int
    plan: int
    n_velocities: int  # padded
    n_rows: int  # of joints
    v: int  # vectors in the floats, over velocities: the answer, …
    v_free: int
    trial: int  # … one that is measured, …
    dv: int  # … the step of v, …
    force: int  # … the right side, …
    defect: int  # … and what a solution leaves of it
    lam: int  # over joint rows likewise
    target: int
    dlam: int
    row_defect: int
    row_work: int
    best_lam: int  # of the best answer so far
    joint_scale: int
    matrix: int  # blocks of the matrix: zeroed as a whole
    n_matrix: int
    store: int  # of the factor
    orders: int  # how often an order was made, of all calls
    is_fine: int  # solve to FINE even where that takes longer: a blow is one moment
    is_rough: int  # a first look: islands of many contacts that move are solved to ROUGH alone, …
    n_rough: int  # … which left so many of them above what is asked otherwise
    n_bounded: int  # joint rows whose multiplier has a bound (engine.contact.bounds)
    lower: int  # over joint rows: the bounds of λ, …
    upper: int
    give: int  # … compliances in the matrix, …
    low: int  # … multipliers of both bounds, …
    high: int
    dlow: int  # … their steps, …
    dhigh: int
    row_lack: int  # … and target − J v


class Body(IntRecord):
    """A body that moves."""

    table = "bodies"
    rows: int
    width: int  # rows, padded
    dof: int  # first place in vectors
    M: int  # rows × width
    W: int  # its inverse
    K: int  # its block of the matrix
    mark: int
    is_asleep: int  # it is no part of the problem: its velocity stays 0


class Joint(IntRecord):
    """Rows that hold exactly."""

    table = "joints"
    rows: int
    row: int  # first place in vectors
    link: int  # its first
    n_links: int


class JointBlock(IntRecord):
    """The block of a joint on one body."""

    table = "links"
    joint: int
    body: int
    J: int  # rows of the joint × width of the body


class Pair(IntRecord):
    """Two bodies that touch: a before b."""

    table = "pairs"
    a: int
    b: int
    K: int  # K_ab, rows of a × width of b, …
    Kt: int  # … and K_ba, rows of b × width of a
    following: int  # the next pair of a, or −1


class Contact(IntRecord):
    """A contact point of two bodies; −1 is the ground. With two grounds it is none: those that touch there
    sleep."""

    table = "contacts"
    a: int
    b: int
    pair: int  # or −1
    point: int  # place of its numbers, a Point, …
    Ha: int  # … and of its blocks, 3 × width
    Hb: int
    turn: int  # 0, or that it is rolling or spinning friction (engine.contact.turning), …
    master: int  # … of this contact


class Island(IntRecord):
    """Bodies that are joined by contacts and joints: a tree of fronts, solved alone."""

    table = "islands"
    front: int
    front_end: int
    body: int  # in the lists
    body_end: int
    joint: int
    joint_end: int
    contact: int
    contact_end: int
    values: int  # place of its numbers, IslandValues
    worst: int  # the contact with the largest residual, or −1
    factorings: int
    way: int  # how it was solved, engine.contact.solver


class IslandValues(FloatRecord):
    """What the answer of an island is worth."""

    speed: float  # of the fastest contact point of a body before the step [m/s]
    tolerance: float  # that was asked [m/s]
    residual: float  # that is left [m/s]
    energy: float  # gained, beyond what the gaps allow [J]: never above rounding
    best: float  # residual of the best answer on the way
    centre: float  # μ̄ of the interior point
    step: float  # its last step


class Point(FloatRecord):
    """The numbers of a contact point."""

    mu: float
    b: Floats = cells(3)  # u at v = 0
    r: Floats = cells(3)  # impulse [N s], in and out
    u: Floats = cells(3)  # relative velocity, out [m/s]
    residual: float
    mass: float  # that it meets along n [kg]
    y: Floats = cells(3)  # û + |û_t| e_n, …
    delta: float  # … and y0 − |y_t|, which is u_n
    z: Floats = cells(3)  # r̂ = D⁻¹r
    slack: float  # z0 − |z_t|
    across: float  # |y_t|, …
    e: Floats = cells(2)  # … y_t / |y_t|, …
    along: float  # … and |r̂_t|
    dy: Floats = cells(3)
    dz: Floats = cells(3)
    w: Floats = cells(3)  # Nesterov and Todd's scaling point, …
    eta: float
    lam: Floats = cells(3)  # … and what both sides are scaled to
    B: Floats = cells(9)  # Δr̂ = g − B Ĥ Δv
    g: Floats = cells(3)
    gap: Floats = cells(3)  # Ĥv + b̂ − (δ, y_t)
    best: Floats = cells(3)  # r of the best answer so far
    curve: float  # by which |y_t| grows beyond its tangent
    held: float  # iterations for which its shift is held
    shift: float  # μ|u_t| as it is held in a convex problem, or −1
    arm: float  # of rolling or spinning friction [m]; 0 of a point …
    radius: float  # … and the largest moment's impulse that it allows


@compiled
def table_words(P: Problem) -> int:
    """Words of all tables before the plan."""
    n, nodes, room = P.n_bodies, P.n_bodies + P.n_joints, P.contact_room
    tables = Problem.size + Body.size * n + Joint.size * P.n_joints + JointBlock.size * P.n_links
    contacts = (Contact.size + Pair.size) * room
    lists = n + 2 * (n + P.n_joints) + P.n_joints + n + room
    return tables + contacts + Island.size * nodes + lists + 2 * (room + P.n_links)


@entry("I")
def lay_out_tables(P: Problem) -> int:
    """Give the tables their places; returns the words before the plan."""
    n, nodes, room = P.n_bodies, P.n_bodies + P.n_joints, P.contact_room
    P.bodies = Problem.size
    P.joints = P.bodies + Body.size * n
    P.links = P.joints + Joint.size * P.n_joints
    P.contacts = P.links + JointBlock.size * P.n_links
    P.pairs = P.contacts + Contact.size * room
    P.islands = P.pairs + Pair.size * room
    P.heads = P.islands + Island.size * nodes
    P.body_list = P.heads + n
    P.joint_list = P.body_list + n
    P.contact_list = P.joint_list + P.n_joints
    P.node_islands = P.contact_list + room
    P.node_sizes = P.node_islands + nodes
    P.edge_rows = P.node_sizes + nodes
    P.edge_columns = P.edge_rows + room + P.n_links
    P.plan = P.edge_columns + room + P.n_links
    P.n_edges, P.n_pairs, P.n_islands, P.orders = -1, 0, 0, 0
    return table_words(P)
