"""What tests share: one profile of property tests, and the studio's page with the browser that draws it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

ROOT = Path(__file__).parents[1]

# The same examples on every machine, few enough for a quick run.
settings.register_profile(
    "tinkerdyne",
    derandomize=True,  # a failure in one place is a failure everywhere
    deadline=None,  # the first example compiles kernels
    max_examples=6,
    phases=[Phase.explicit, Phase.generate],  # seeds do not shrink to anything simpler
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("tinkerdyne")


def pytest_addoption(parser: pytest.Parser) -> None:
    changes = "change the last digits of the samples and starts of sketches, differently with each seed"
    parser.addoption("--disturb", type=int, default=None, metavar="SEED", help=changes)


@pytest.fixture(scope="session")
def page() -> None:
    """The page is built when it is not."""
    subprocess.run([sys.executable, ROOT / "hatch_build.py"], check=True)


@pytest.fixture(scope="session")
def drawn_page(request: pytest.FixtureRequest) -> None:
    """The page is built, and there is a Chromium that draws it; `make test` has seen to both before."""
    from playwright.sync_api import sync_playwright

    from tinkerdyne.studio.show import chromium

    with sync_playwright() as playwright:
        try:
            chromium.find(playwright)
        except FileNotFoundError as problem:
            pytest.fail(str(problem), pytrace=False)
    request.getfixturevalue("page")
