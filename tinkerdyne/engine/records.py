"""Places in the two arenas: I (int64, the structure) and S (float64, the numbers), known to Python and
compiled code alike.

I starts with a header of counts and table positions; S with a few scalars, then whole vectors, then the
blocks.
"""

from __future__ import annotations

# --- header of I ---------------------------------------------------------------------------------
(
    H_NQ, H_NV, H_NR,  # lengths of q, v and of the constraint rows
    H_NO, H_NC, H_NB,  # objects, constraints, Jacobian blocks
    H_OBJ, H_CON, H_BLK,  # their tables
    H_NOB, H_OB,  # object batches
    H_NEB, H_EB,  # batches of connectors and constraints, by level
    H_NFB, H_FB,  # batches of behaviors
    H_NOPS, H_OPS,  # composition of Jacobians
    H_NPULL, H_PULL,  # pulling forces back
    H_NDAMP, H_DAMP,  # pulling damping (or stiffness) blocks back
    H_NCONTRIB, H_CONTRIB,  # contributions J W Jᵀ to the blocks of A
    H_NNODE, H_SIZE, H_LAST, H_SIGN, H_DIAG,  # nodes of the KKT graph
    H_NPAIR, H_PAIR_I, H_PAIR_J, H_PAIR_OFF,  # off-diagonal blocks
    H_NHUBCOPY, H_HUBCOPY,  # hubs' blocks of J, copied into the matrix
    H_UIDOBJ,  # uid → object, or → record of a block
    H_INTS,  # length of I used by the index
    H_S_Q, H_S_V, H_S_Q0, H_S_V0,  # state, and the state at the start of a step
    H_S_QDOT, H_S_GYRO, H_S_LIFT, H_S_NLIFT,
    H_S_FORCE,  # applied generalised force Q
    H_S_ROWS,  # work vectors of NR rows
    H_S_NODES,  # vector in node order (rows, then hubs)
    H_S_VELS,  # work vectors of NV
    H_S_POS,  # work vectors of NQ
    H_S_VALUES, H_S_NVALUES,  # blocks of the KKT matrix
    H_S_SCALE,  # reference diagonal
    H_S_STAGES,  # stages of Runge–Kutta methods
    H_S_LIFT0,  # lifts kept by the energy–momentum step
    H_S_END,  # floats used by the index; the factor store follows
    H_S_RECORDS,
    H_HAS_DAMPING, H_MASS_VARIES, H_NHUB, H_ORDER, H_NONSQUARE, H_MOVES,
    H_NNODEROWS,
    H_PLAN,  # the LDLᵀ plan
    H_S_STORE,  # the factor
    H_S_DAMP, H_NEFFORT,
    H_WANT,  # ints wanted, when I was too small
    H_S_CG,
    H_STOPS,  # one-sided constraints
    H_JUMPS,  # formulas of time that may jump
    H_WINDS,  # connectors that count turns
    H_RATES,  # constraints on velocities
    H_CONSTANT,  # J and M do not change: the matrix is factored once (ID90 §5.4)
    H_NEXT, H_NEXT_TABLE, H_POOL, H_NPOOL, H_CAPACITY,  # where the index is while it is made
    H_NCOUPLE, H_COUPLE,  # stiffness between the inputs of a behavior
) = range(81)  # fmt: skip
HEADER = 96

ROW_VECTORS = 14
VEL_VECTORS = 12
POS_VECTORS = 4
STAGES = 17  # DOP853 with dense output keeps 16

# Work vectors of NR rows, by number.
R_RES, R_LAMBDA, R_DELTA, R_RHS, R_WORK, R_LAM, R_REF, R_REF1, R_REF2, R_SAVE, R_MU, R_TRY, R_LIFTED = range(
    13
)
# Work vectors of NV.
V_TOTAL, V_ACC, V_WORK, V_SAVE, V_START, V_KICK, V_TRY, V_EXTRA = range(8)

# --- scalars of S (TIME and STEP are in language.block) --------------------------------------------
S_TIME, S_STEP = 0, 1
S_SCALARS = 108
S_SCRATCH = 52  # small matrices of one object
(
    S_FEEDBACK,  # 0 none (projection holds the constraints), 1 inside the multiplier equation, 2 outside
    S_TOLERANCE,  # of |c| in a step
    S_THETA,  # of the energy–momentum step
    S_ENERGY,  # potential energy last evaluated
    S_KINETIC,
    S_LARGEST_T,  # largest kinetic energy met, the measure of the energy guard
    S_GAP,  # |c − r| after the last step
    S_REPLACED,  # pivots that had vanished in the last factor
    S_WAIT,
    S_BACKOFF,  # steps before the careful scheme is left again
    S_READY,  # J, factor and forces of the present state are at hand
    S_COUNT_NEWTON,
    S_COUNT_EM,
    S_COUNT_LM,
    S_COUNT_STEPS,  # what the steps took
    S_RTOL,
    S_ATOL,
    S_H_NEXT,  # adaptive methods
    S_NONCONSERVED,  # work of forces without potential in the last step
    S_POWER,
    S_SOLVER,
    S_CG_LIMIT,
    S_CG_TOLERANCE,
    S_CG_DONE,  # 0 LDLᵀ, 1 conjugate gradients and their limits
    S_COUNT_FINER,  # steps redone in parts
    S_SOFT,  # steps left with the softer matrix
    S_PARTS,
    S_CALM,  # parts of a first-order step, and steps since one went uphill
    S_YIELDING,
    S_STUCK,  # constraints that yield; steps in a row that could not be closed
    S_YIELD_TAU,  # time constant of their springs
    S_SPRINGS,  # how many of them are springs; the others are open stops
    S_IMPACT,  # whether a stop was hit in this step
    # the widest jump of a moving constraint, of its place (0) or velocity (1)
    S_JUMP_SIZE,
    S_JUMP_ROW,
    S_JUMP_TIME,
    S_JUMP_KIND,
    S_STARTED,  # Störmer's method has a displacement to go on from
    S_CORRECTIONS,  # geometric iterations of its step at most
    S_CG_WARM,  # conjugate gradients begin with the last solution
    S_PLAYED,
    S_PLAYED_TIME,  # whether events of the timeline were carried out, and up to when
    S_TRIAL,
    S_TRIAL_WAIT,  # steps to the next trial of making springs exact, and steps between trials
) = range(4, 48)
(
    S_FACTORED,  # ε of the factor at hand, where nothing has changed since
    S_COUNT_FACTOR,
) = range(48, 50)  # fmt: skip

# --- tables --------------------------------------------------------------------------------------
# object: q, v, nq, nv, lift, M, W, flags, hub node (or −1), first incidence, number of incidences, damping
# block, diagonals of W and M side by side (most objects have no more, and a step then touches two cache lines
# instead of ten)
OBJ = 13
O_Q, O_V, O_NQ, O_NV, O_LIFT, O_M, O_W, O_FLAGS, O_HUB, O_INC, O_NINC, O_D, O_DG = range(13)
FIXED, DIAGONAL, LINEAR, VARIES, RIGID, PLANAR = 1, 2, 4, 8, 16, 32

# constraint: row, d, record, memory, place of τ (k_s and k_d follow it), first block, blocks, effort, kind,
# place of restitution
CON = 10
C_ROW, C_DIM, C_REC, C_MEM, C_TAU, C_BLK, C_NBLK, C_EFFORT, C_KIND, C_BOUNCE = range(10)
# Kinds: on positions (c = 0), one-sided (c ≥ 0, one row), on velocities (ċ = 0; c is not known), the same
# with ċ kept as it was.
POSITION, STOP, RATE, STEADY = range(4)

# Memory of a constraint with d rows: μ (d), c₀ (d), ċ₀ (d), t₀, and whether its rows are out of the
# multiplier equation. in; out as a spring (it cannot be met); out as an open stop; in, just hit
EXACT, SPRING, OPEN, HIT = 0.0, 1.0, 2.0, 3.0


def memory_width(d: int) -> int:
    """Length of a constraint's memory."""
    return 3 * d + 2


# Jacobian block: row, d, v, nv, J, object, G = W Jᵀ, constraint
BLK = 8
B_ROW, B_DIM, B_V, B_NV, B_J, B_OBJ, B_G, B_CON = range(8)

# object batch: n, offset table, lift, qdot, mass, gyro, drift, normalise, q, v, nq, nv, flags, first object
OB = 14
# block batch: n, offset table, value, motion, full, spatial, effort, family, wind
EB = 9
# behavior batch: n, offset table, force, damping, stiffness, stride, force with rotations in world axes
FB = 7

# composition: kind, target, rows, columns, Df, inner, J of the input
OPS = 7
# pulling back: force, inner (0: already generalised), J, v, nv
PULL = 5
# pulling a square block back: block, inner (0: already generalised), J, object
DAMP = 4
# stiffness between two inputs of a behavior: its row sums, and the entries of DAMP through which the first
# input reaches objects
COUPLE = 3
# contribution: target, J, G, d1, d2, nv, whether it is on the diagonal
CONTRIB = 7

HUB_DEGREE = 8  # objects with more constraints than this stay in the KKT matrix (DESIGN: elimination order)

# --- batch description given to the index --------------------------------------------------------
OBJECT, CONNECTOR, CONSTRAINT, BEHAVIOR, FIELD = range(5)
D_LENGTH, D_FAMILY, D_N, D_DIM, D_NQ, D_NV, D_NP, D_RECORD, D_PORTS, D_FLAGS, D_MEMORY = range(11)
D_KERNELS = 11
DAMPS, COUPLES = 1, 2  # flags of behaviors
D_KIND, D_BOUNCE = 17, 18
D_BASE = 19  # out: first place of the batch's rows in S: parameters, memory (19, 20), records (21)
D_PORT = 24  # (dim, nv, displacement, sign) for each port
