"""Sketching motions in a real Chromium, with a real mouse: the paper's four examples, and acting."""

from __future__ import annotations

import numpy as np
import pytest

from tests.studio.person import until
from tests.studio.sketched_by_hand import BY_HAND, Sketcher, die_world, pencil

# A 3-D mouse, as browsers have one: its cap is pushed by the page's window.push.
PUCK = """() => {
  window.push = [0, 0, 0, 0, 0, 0];
  const pad = { id: "SpaceMouse (Vendor: 256f Product: c635)", connected: true, buttons: [] };
  navigator.getGamepads = () => [{ ...pad, axes: window.push }];
}"""


@pytest.fixture
def sketcher(meet, show):
    """A person at a world who sketches."""

    def come(world) -> tuple[object, Sketcher]:
        shown = show(world, is_playing=False)
        return shown, Sketcher(meet(shown.url))

    return come


@pytest.mark.long
def test_a_throw_is_sketched_and_dragged_and_the_motion_follows_the_hand(sketcher):
    shown, hand = sketcher(die_world())
    hand.begin("die")
    assert hand.verdict().startswith("Met")
    before = hand.told()["motion"]["paths"][0]["flights"][0][-7:-4]
    last = hand.sample("die", 1, 3)
    text = shown.world.display["sketch"].text
    hand.drag(last, (last[0] + 0.1, last[1], last[2] + 0.05), steps=3)
    after = hand.told()["motion"]["paths"][0]["flights"][0][-7:-4]
    assert np.linalg.norm(np.subtract(after, before)) > 0.02
    assert shown.world.display["sketch"].text != text
    assert hand.me.page.evaluate("() => window.tinkerdyne.latencies().length") > 0
    hand.me.press("Control+z")
    until(lambda: shown.world.display["sketch"].text == text, "the drag is taken back")


@pytest.mark.long
@pytest.mark.parametrize("name", BY_HAND)
def test_the_examples_of_the_paper_are_made_by_hand(meet, show, name):
    world, act = BY_HAND[name]
    shown = show(world(), is_playing=False)
    hand = act(meet(shown.url))
    assert hand.verdict().startswith(("Met", "Plausible")), hand.verdict()
    whole = hand.told()["motion"]["grid"][-1]
    hand.play()
    until(lambda: shown.world.time > whole, "the motion plays in the world, and goes on")


@pytest.mark.long
def test_a_throw_is_acted_refined_and_comes_to_rest(meet, show):
    world, _ = BY_HAND["pencil"]
    shown = show(world(), is_playing=False)
    hand = pencil(meet(shown.url))
    gesture = hand.panel.get_by_role("group", name="The gesture", exact=True)
    gesture.get_by_label("Cut 1", exact=True).focus()
    hand.me.press("ArrowRight")
    hand.settled()
    last = hand.sample("pencil", 1, 1)
    hand.drag(last, (last[0], last[1], last[2] + 0.05))
    assert hand.verdict().startswith(("Met", "Plausible")), hand.verdict()
    hand.play()
    body = shown.world["pencil"]
    until(
        lambda: shown.world.time > 2 and np.linalg.norm(body.velocity) < 1e-2 and body.position[2] < 0.2,
        "it comes to rest",
        240,
    )


@pytest.mark.long
def test_a_3d_mouse_leads_a_body(sketcher):
    _shown, hand = sketcher(die_world())
    hand.begin("die")
    page = hand.me.page
    page.evaluate(PUCK)
    page.get_by_role("button", name="3-D mouse", exact=True).click()
    for push in ([0.8, 0, -0.5, 0, 0, 0.4], [0.8, 0, 0.6, 0, 0, 0.4]):
        page.evaluate("push => { window.push = push; }", push)
        page.wait_for_timeout(1500)
    page.evaluate("() => { window.push = [0, 0, 0, 0, 0, 0]; }")
    group = hand.panel.get_by_role("group", name="The gesture", exact=True)
    until(group.count, "the gesture is over when its cap is let go of")
    hand.settled()
    track = hand.told()["sketch"]["flights"][0]["tracks"][0]
    places = np.array(track["places"])
    assert places[-1, 0] - places[0, 0] > 0.05 and track["orientations"]
    assert places[:, 2].max() > places[0, 2] + 0.01
