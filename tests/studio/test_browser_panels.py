"""Every panel that the documentation shows: nothing in it shuts anyone out, in both themes."""

from __future__ import annotations

import pytest

from tests.studio.person import Person, until
from tests.studio.test_browser import axe
from tools.panels import PANELS

FAULTS = "axe.run(document, {resultTypes: ['violations']})"


@pytest.mark.long
@pytest.mark.parametrize("name", PANELS)
def test_no_panel_has_a_serious_fault_of_accessibility(show, browser, name):
    panel = PANELS[name]
    shown = show(panel.build(), title=name, is_playing=panel.is_running)
    me = Person(browser, shown.url, size=panel.size, look=f"&lowfx=1&theme=light&lang={panel.speaks}")
    panel.act(me, shown)
    me.page.evaluate(axe())
    for theme in ("light", "dark"):
        me.page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        until(lambda: me.page.evaluate("document.getAnimations().length === 0"), "nothing fades")
        serious = [
            (one["id"], [node["html"][:160] for node in one["nodes"]][:3])
            for one in me.page.evaluate(FAULTS)["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert not serious, (theme, serious)
    me.leave()
