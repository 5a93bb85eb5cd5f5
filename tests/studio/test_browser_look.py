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
    look = "&lowfx=0&theme=light"  # with shadows and edges
    person = meet(show(world).url, size=(640, 400), look=look)
    drawn = until(
        lambda: person.page.evaluate(
            "(({parts, calls}) => parts() === 1000 && calls() > 20 && calls())(window.tinkerdyne)"
        ),
        "all parts are drawn",
    )
    assert drawn <= 60, drawn


def crank() -> td.World:
    """A planar crank on a nail, which stands still."""
    world = td.World()
    arm = world.add(td.PlanarRod("arm", position=(0.5, 0)))
    world.add(td.nail(arm.end1, at=(0, 0), name="hook"))
    world.history.clear()
    return world


def test_a_nail_becomes_a_motor_with_a_slider_and_a_plot(show, meet):
    shown = show(crank(), is_playing=False)
    me, world = meet(shown.url), shown.world
    me.page.get_by_role("treeitem", name="hook").first.click()
    me.press("m")  # made, and selected
    until(lambda: "hook motor" in world, "the nail is a motor")
    me.sees(".motor-form", "Speed")
    speed = me.page.locator(".motor-form input").first
    speed.fill("90")  # degrees a second
    speed.press("Enter")
    until(lambda: abs(world["hook motor"].at[0] - 1.570796) < 1e-5, "the speed is given in degrees")
    me.page.locator(".chip", has_text="at").first.click()
    me.sees(".control-panel", "hook motor at")
    assert world.display["controls"][0].name == "hook motor"
    slider = me.page.locator(".control-panel input[type=range]")
    steps = len(world.history)
    slider.focus()
    me.press("ArrowRight")
    until(lambda: world["hook motor"].at[0] > 1.58, "the slider sets the speed")
    until(lambda: len(world.history) == steps + 1, "that is one step")
    me.focus_view()
    me.press("Shift+P")
    me.sees(".plot", "hook motor.force")
    me.press("Control+z")
    until(lambda: abs(world["hook motor"].at[0] - 1.570796) < 1e-5, "undo takes the slider back")


def test_panels_give_way_and_what_left_is_shown_again(show, meet):
    world = td.World()
    world.add(td.Sphere("ball", position=(0, 0, 1), velocity=(40, 0, 0)))
    me = meet(show(world, is_playing=False).url)
    wide = me.page.locator(".viewport").bounding_box()["width"]
    me.focus_view()
    me.press("\\")
    until(lambda: me.page.locator(".viewport").bounding_box()["width"] > wide + 300, "only the view is left")
    me.press("e")
    me.page.locator(".event-form").wait_for()  # what is opened is seen
    me.press("Escape")
    until(lambda: not me.page.locator(".event-form").count(), "closed")
    me.focus_view()
    me.press("\\")
    until(lambda: not me.page.locator(".timeline").is_visible(), "only the view again")
    me.press("\\")
    until(lambda: me.page.locator(".viewport").bounding_box()["width"] == wide, "the panels are back")
    me.page.set_viewport_size({"width": 720, "height": 800})
    until(lambda: me.page.locator(".viewport").bounding_box()["width"] > 700, "the view has the width")
    me.press("e")
    me.page.locator(".event-form").wait_for()
    me.press("Escape")
    me.page.get_by_role("navigation", name="Panels").get_by_text("Parts").click()
    me.page.get_by_role("treeitem", name="ball").first.click()
    me.focus_view()
    me.press("Space")
    me.sees(".away", "Everything has left the view")
    me.press("Space")
    me.page.locator(".away").get_by_text("Show it").click()
    until(lambda: not me.reads(".away"), "it is in the view again")


def test_jansen_opens_as_it_is_meant_to_be_seen(show, meet):
    shown = show(td.World())
    me = meet(shown.url)
    me.press("Control+Shift+O")
    me.page.get_by_label("Search scenes").fill("jansen")
    me.press("Enter")
    until(lambda: "leg1.vxy" in shown.world, "Enter opens the first")
    me.sees(".control-panel", "Speed of the crank")
    me.sees(".plot", "motor.force")
    until(lambda: shown.world.time > 0, "it runs")
