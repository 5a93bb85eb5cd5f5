"""What the page says when something is missing or old."""

from __future__ import annotations

import msgspec
import pytest

from tests.studio.person import Person, until
from tests.studio.test_browser import hanging, names

NO_WEBGL = """{
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return kind.startsWith("webgl") ? null : get.call(this, kind, ...rest);
  };
}"""


def test_a_browser_without_webgl_is_told_and_can_be_used(show, browser):
    shown = hanging(show)
    me = Person(browser, shown.url, before=NO_WEBGL)
    me.sees(".no-webgl", "WebGL is missing")
    me.command("insert sphere")
    until(lambda: "sphere-1" in names(shown), "edits work")
    me.sees(".parts", "sphere-1")
    me.leave()


@pytest.mark.long
def test_effects_are_spared_where_the_processor_draws(show, meet):
    me = meet(hanging(show).url)
    me.page.goto(me.page.url.replace("lowfx=1&", ""))  # the browser of these tests draws in software
    entry = me.page.get_by_role("menuitemcheckbox", name="Few effects")
    me.page.locator("[data-menu=View]").click()
    assert "draws in software" in entry.inner_text() and entry.get_attribute("aria-checked") == "true"
    with me.page.expect_event("load"):
        entry.click()  # all of them, all the same
    assert "lowfx=0" in me.page.url
    me.page.locator("[data-menu=View]").click()
    assert entry.get_attribute("aria-checked") == "false"


def test_an_old_page_is_asked_to_reload(show, meet):
    shown = hanging(show)
    me = meet(shown.url)
    assert not me.reads(".banner")
    hello = msgspec.json.decode(shown._session.view.hello())
    for client in shown._session.clients:  # as after a start anew, with a newer page
        client.put_latest("hello", msgspec.json.encode({**hello, "build": "another"}))
    me.sees(".banner", "was renewed")
    with me.page.expect_event("load"):
        me.page.locator(".banner button", has_text="Reload").click()
    me.sees(".parts", "rod")
    assert not me.reads(".banner")
