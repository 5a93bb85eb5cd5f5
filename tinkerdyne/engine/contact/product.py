"""Products with the blocks of a contact problem: H v, Hᵀr, J v, Jᵀλ, M v, M⁻¹f, and the matrix M + ĤᵀB Ĥ.

D = diag(1, μ, μ) makes every friction cone the same one, the Lorentz cone:  Ĥ = D H,  r = D r̂.
"""

from __future__ import annotations

from tinkerdyne.compiler.core import at, compiled, inlined
from tinkerdyne.compiler.records import Floats
from tinkerdyne.engine.contact.problem import Body, Contact, Island, Joint, JointBlock, Pair, Point, Problem
from tinkerdyne.engine.ldl.plan import TILE


@inlined
def contact_at(P: Problem, s: int) -> Contact:
    """The contact at place s of the islands' list."""
    return Contact.of(P, P[P.contact_list + s])


@inlined
def body_at(P: Problem, s: int) -> Body:
    """The body at place s of the islands' list."""
    return Body.of(P, P[P.body_list + s])


@inlined
def joint_at(P: Problem, s: int) -> Joint:
    """The joint at place s of the islands' list."""
    return Joint.of(P, P[P.joint_list + s])


# --- contacts ----------------------------------------------------------------------------------------------


@compiled
def dot_row(H: Floats, v: Floats, width: int) -> float:
    """Σ H[i] v[i]."""
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    for i in range(0, width, TILE):
        a0 += H[i] * v[i]
        a1 += H[i + 1] * v[i + 1]
        a2 += H[i + 2] * v[i + 2]
        a3 += H[i + 3] * v[i + 3]
    return (a0 + a1) + (a2 + a3)


@inlined
def dot_rows(H: Floats, v: Floats, width: int) -> tuple[float, float, float]:
    """Three rows of H, times v."""
    a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
    b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
    c0, c1, c2, c3 = 0.0, 0.0, 0.0, 0.0
    for i in range(0, width, TILE):
        j, k = i + width, i + 2 * width
        v0, v1, v2, v3 = v[i], v[i + 1], v[i + 2], v[i + 3]
        a0, a1, a2, a3 = a0 + H[i] * v0, a1 + H[i + 1] * v1, a2 + H[i + 2] * v2, a3 + H[i + 3] * v3
        b0, b1, b2, b3 = b0 + H[j] * v0, b1 + H[j + 1] * v1, b2 + H[j + 2] * v2, b3 + H[j + 3] * v3
        c0, c1, c2, c3 = c0 + H[k] * v0, c1 + H[k + 1] * v1, c2 + H[k + 2] * v2, c3 + H[k + 3] * v3
    return (a0 + a1) + (a2 + a3), (b0 + b1) + (b2 + b3), (c0 + c1) + (c2 + c3)


@compiled
def rate(P: Problem, X: Floats, contact: Contact, v: Floats) -> tuple[float, float, float]:
    """H v of one contact."""
    n, t1, t2 = 0.0, 0.0, 0.0
    if contact.a >= 0:
        body = Body.of(P, contact.a)
        n, t1, t2 = dot_rows(at(X, contact.Ha), at(v, body.dof), body.width)
    if contact.b >= 0:
        body = Body.of(P, contact.b)
        m, s1, s2 = dot_rows(at(X, contact.Hb), at(v, body.dof), body.width)
        n, t1, t2 = n + m, t1 + s1, t2 + s2
    return n, t1, t2


@inlined
def add_rows(H: Floats, n: float, t1: float, t2: float, f: Floats, width: int) -> None:
    """f += Hᵀ(n, t1, t2)."""
    for i in range(0, width, TILE):
        j, k = i + width, i + 2 * width
        f0, f1, f2, f3 = f[i], f[i + 1], f[i + 2], f[i + 3]
        f0, f1, f2, f3 = f0 + n * H[i], f1 + n * H[i + 1], f2 + n * H[i + 2], f3 + n * H[i + 3]
        f0, f1, f2, f3 = f0 + t1 * H[j], f1 + t1 * H[j + 1], f2 + t1 * H[j + 2], f3 + t1 * H[j + 3]
        f0, f1, f2, f3 = f0 + t2 * H[k], f1 + t2 * H[k + 1], f2 + t2 * H[k + 2], f3 + t2 * H[k + 3]
        f[i], f[i + 1], f[i + 2], f[i + 3] = f0, f1, f2, f3


@compiled
def push(P: Problem, X: Floats, contact: Contact, n: float, t1: float, t2: float, f: Floats) -> None:
    """f += Hᵀ(n, t1, t2) of one contact."""
    if contact.a >= 0:
        body = Body.of(P, contact.a)
        add_rows(at(X, contact.Ha), n, t1, t2, at(f, body.dof), body.width)
    if contact.b >= 0:
        body = Body.of(P, contact.b)
        add_rows(at(X, contact.Hb), n, t1, t2, at(f, body.dof), body.width)


# --- joints ------------------------------------------------------------------------------------------------


@compiled
def add_joint_forces(P: Problem, X: Floats, island: Island, lam: Floats, f: Floats) -> None:
    """f += Jᵀλ."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for k in range(joint.link, joint.link + joint.n_links):
            link = JointBlock.of(P, k)
            body = Body.of(P, link.body)
            J, to = at(X, link.J), at(f, body.dof)
            for a in range(joint.rows):
                for i in range(body.width):
                    to[i] += J[a * body.width + i] * lam[joint.row + a]


@compiled
def joint_rates(P: Problem, X: Floats, island: Island, v: Floats, rates: Floats) -> None:
    """J v."""
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for a in range(joint.rows):
            total = 0.0
            for k in range(joint.link, joint.link + joint.n_links):
                link = JointBlock.of(P, k)
                body = Body.of(P, link.body)
                total += dot_row(at(X, link.J + a * body.width), at(v, body.dof), body.width)
            rates[joint.row + a] = total


# --- bodies ------------------------------------------------------------------------------------------------


@compiled
def add_block(B: Floats, body: Body, x: Floats, factor: float, y: Floats) -> None:
    """y += factor B x of one body."""
    for a in range(body.rows):
        y[a] += factor * dot_row(at(B, a * body.width), x, body.width)


@compiled
def set_vector(P: Problem, island: Island, x: Floats, value: float) -> None:
    """All velocities of an island."""
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            x[i] = value


@compiled
def move_vector(P: Problem, island: Island, x: Floats, factor: float, y: Floats) -> None:
    """y += factor x on an island."""
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            y[i] += factor * x[i]


@compiled
def copy_vector(P: Problem, island: Island, x: Floats, y: Floats) -> None:
    """y ← x on an island."""
    for s in range(island.body, island.body_end):
        body = body_at(P, s)
        for i in range(body.dof, body.dof + body.width):
            y[i] = x[i]


@compiled
def invert_masses(P: Problem, X: Floats) -> None:
    """W = M⁻¹ of every body, by Gauss and Jordan without pivoting: M is positive definite."""
    for k in range(P.n_bodies):
        body = Body.of(P, k)
        if body.is_asleep != 0:
            continue
        n, width = body.rows, body.width
        W, M = at(X, body.W), at(X, body.M)
        for i in range(n * width):
            W[i] = M[i]
        for p in range(n):
            pivot = 1.0 / W[p * width + p]
            W[p * width + p] = 1.0
            for j in range(n):
                W[p * width + j] *= pivot
            for i in range(n):
                if i != p:
                    factor = W[i * width + p]
                    W[i * width + p] = 0.0
                    for j in range(n):
                        W[i * width + j] -= factor * W[p * width + j]


@compiled
def mobility(P: Problem, X: Floats, k: int, H: Floats) -> float:
    """H W Hᵀ of one row of a contact on one body."""
    if k < 0:
        return 0.0
    body = Body.of(P, k)
    total = 0.0
    for a in range(body.rows):
        total += H[a] * dot_row(at(X, body.W + a * body.width), H, body.width)
    return total


@compiled
def weigh(P: Problem, X: Floats, island: Island) -> None:
    """The mass that each contact meets along its normal, and the scale of each joint row."""
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        a, b = 0, 0
        if Point(at(X, contact.point)).arm > 0.0:  # its first row is 0
            a = Body.of(P, contact.a).width if contact.a >= 0 else 0
            b = Body.of(P, contact.b).width if contact.b >= 0 else 0
        w = mobility(P, X, contact.a, at(X, contact.Ha + a)) + mobility(
            P, X, contact.b, at(X, contact.Hb + b)
        )
        Point(at(X, contact.point)).mass = 1.0 / w if w > 0.0 else 0.0
    for s in range(island.joint, island.joint_end):
        joint = joint_at(P, s)
        for a in range(joint.rows):
            w = 0.0
            for k in range(joint.link, joint.link + joint.n_links):
                link = JointBlock.of(P, k)
                w += mobility(P, X, link.body, at(X, link.J + a * Body.of(P, link.body).width))
            X[P.joint_scale + joint.row + a] = w if w > 0.0 else 1.0


# --- the matrix --------------------------------------------------------------------------------------------


@compiled
def clear_blocks(P: Problem, X: Floats, island: Island) -> None:
    """K = M of an island, by blocks, to which contacts are added."""
    for s in range(island.body, island.body_end):
        k = P[P.body_list + s]
        body = Body.of(P, k)
        K, M = at(X, body.K), at(X, body.M)
        for i in range(0, body.rows * body.width, TILE):
            K[i], K[i + 1], K[i + 2], K[i + 3] = M[i], M[i + 1], M[i + 2], M[i + 3]
        p = P[P.heads + k]
        while p >= 0:
            pair = Pair.of(P, p)
            a, b = Body.of(P, pair.a), Body.of(P, pair.b)
            K = at(X, pair.K)
            for i in range(0, a.rows * b.width + b.rows * a.width, TILE):
                K[i], K[i + 1], K[i + 2], K[i + 3] = 0.0, 0.0, 0.0, 0.0
            p = pair.following


@compiled
def assemble(P: Problem, X: Floats, island: Island) -> None:
    """K = M + Σ Ĥᵀ B Ĥ of an island, by blocks."""
    clear_blocks(P, X, island)
    for s in range(island.contact, island.contact_end):
        contact = contact_at(P, s)
        add_contact(P, X, contact, Point(at(X, contact.point)))


@compiled
def add_contact(P: Problem, X: Floats, contact: Contact, point: Point) -> None:
    """Add ĤᵀB Ĥ of one contact to the blocks of its bodies."""
    a, b = contact.a, contact.b
    if point.B[0] == 0.0 and point.B[4] == 0.0 and point.B[8] == 0.0:
        return
    if a >= 0:
        add_product(P, X, point, contact.Ha, a, contact.Ha, a, Body.of(P, a).K)
    if b >= 0:
        add_product(P, X, point, contact.Hb, b, contact.Hb, b, Body.of(P, b).K)
    if contact.pair >= 0:
        pair = Pair.of(P, contact.pair)
        is_in_order = a == pair.a
        add_product(P, X, point, contact.Ha, a, contact.Hb, b, pair.K if is_in_order else pair.Kt)
        add_product(P, X, point, contact.Hb, b, contact.Ha, a, pair.Kt if is_in_order else pair.K)


@compiled
def add_product(P: Problem, X: Floats, point: Point, left: int, i: int, right: int, j: int, to: int) -> None:
    """The block at `to` += H_iᵀ D B D H_j."""
    mu, B = point.mu, point.B
    n, wide, width = Body.of(P, i).rows, Body.of(P, i).width, Body.of(P, j).width
    b00, b01, b02 = B[0], mu * B[1], mu * B[2]
    b10, b11, b12 = mu * B[3], mu * mu * B[4], mu * mu * B[5]
    b20, b21, b22 = mu * B[6], mu * mu * B[7], mu * mu * B[8]
    for c in range(0, width, TILE):
        G = at(X, right + c)
        x0, x1, x2, x3 = G[0], G[1], G[2], G[3]
        y0, y1, y2, y3 = G[width], G[width + 1], G[width + 2], G[width + 3]
        z0, z1, z2, z3 = G[2 * width], G[2 * width + 1], G[2 * width + 2], G[2 * width + 3]
        p0, p1, p2, p3 = (
            b00 * x0 + b01 * y0 + b02 * z0,
            b00 * x1 + b01 * y1 + b02 * z1,
            b00 * x2 + b01 * y2 + b02 * z2,
            b00 * x3 + b01 * y3 + b02 * z3,
        )
        q0, q1, q2, q3 = (
            b10 * x0 + b11 * y0 + b12 * z0,
            b10 * x1 + b11 * y1 + b12 * z1,
            b10 * x2 + b11 * y2 + b12 * z2,
            b10 * x3 + b11 * y3 + b12 * z3,
        )
        r0, r1, r2, r3 = (
            b20 * x0 + b21 * y0 + b22 * z0,
            b20 * x1 + b21 * y1 + b22 * z1,
            b20 * x2 + b21 * y2 + b22 * z2,
            b20 * x3 + b21 * y3 + b22 * z3,
        )
        H = at(X, left)
        for a in range(n):
            h0, h1, h2 = H[a], H[wide + a], H[2 * wide + a]
            K = at(X, to + a * width + c)
            k0, k1, k2, k3 = K[0], K[1], K[2], K[3]
            k0, k1, k2, k3 = k0 + h0 * p0, k1 + h0 * p1, k2 + h0 * p2, k3 + h0 * p3
            k0, k1, k2, k3 = k0 + h1 * q0, k1 + h1 * q1, k2 + h1 * q2, k3 + h1 * q3
            k0, k1, k2, k3 = k0 + h2 * r0, k1 + h2 * r1, k2 + h2 * r2, k3 + h2 * r3
            K[0], K[1], K[2], K[3] = k0, k1, k2, k3
