"""A browser that opens pages of the site from disk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tinkerdyne.studio.show import chromium


@pytest.fixture(scope="module")
def browser(drawn_page: None) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = chromium.launch(playwright)
        yield found
        found.close()
