"""What a person sees: parts drawn together, outlines, panels that give way, controls, the gallery."""

from __future__ import annotations

import tinkerdyne as td
from tests.studio.person import until

CORNERS = ((0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 0.4))
FACES = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))


def ten_shapes(name: str, at: tuple[float, float, float], k: int) -> td.Item:
    """One of ten shapes, each of its own size."""
    size, where = 0.2 + 0.001 * k, {"position": at, "is_fixed": True}
    match k % 10:
        case 0:
            return td.Box(name, size=(size, 0.3, 0.1 + size), **where)
        case 1:
            return td.Sphere(name, radius=size, **where)
        case 2:
            return td.Cylinder(name, radius=0.1, length=size, **where)
        case 3:
            return td.Capsule(name, radius=0.1, length=0.3, **where)
        case 4:
            return td.Cone(name, radius=0.1, height=size, **where)
        case 5:
            return td.Torus(name, radius=0.2, thickness=0.05, **where)
        case 6:
            return td.Rod(name, length=size, radius=0.02, **where)
        case 7:
            return td.Card(name, width=size, height=0.3, **where)
        case 8:
            return td.Mesh(name, vertices=CORNERS, faces=FACES, **where)
    return td.Particle(name, **where)


def test_a_thousand_parts_are_drawn_by_sixty_calls(show, meet):
    world = td.World()
    parts = [ten_shapes(f"p{k}", (k % 10, k // 10 % 10, k // 100), k) for k in range(1000)]
    world.add(parts)
    for k in range(6, 1000, 100):  # and pins, whose links have eyes
        x, y, z = parts[k].position
        world.add(td.nail(parts[k].end1, at=(x - parts[k].length / 2, y, z)))
    person = meet(show(world).url)
    person.page.goto(person.page.url.replace("lowfx=1", "lowfx=0"))  # with shadows and edges
    person.page.wait_for_function("window.tinkerdyne !== undefined")
    drawn = until(
        lambda: person.page.evaluate(
            "(({parts, calls}) => parts() === 1000 && calls() > 20 && calls())(window.tinkerdyne)"
        ),
        "all parts are drawn",
    )
    assert drawn <= 60, drawn
