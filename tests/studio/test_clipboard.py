"""Copies are of parts and what connects them, never of the hands that hold them."""

from __future__ import annotations

import re

import pytest

from tests.studio.page import Page
from tinkerdyne.studio.session import start


@pytest.mark.parametrize("how", [{}, {"is_hard": True}, {"with_orientation": True}])
def test_a_part_that_somebody_holds_is_copied_without_the_hand(show, how):
    shown = show(start.build())
    one, other = Page(shown._server), Page(shown._server)
    handle = one.ask("grab", item="pendulum", at=[0.2, 0, 0], **how)
    for page in (one, other):
        made = page.ask("paste", text=page.ask("copy", names=["pendulum"])["text"])
        assert {re.sub(r" \d", "", name) for name in made} == {
            "pendulum",
            "pendulum.end1",
            "pendulum.end2",
            "hook",
            "hinge",
        }
    one.ask("release", handle=handle)
    assert {item.type.name for item in shown.world.items} == {item.type.name for item in start.build().items}
    one.close()
    other.close()
