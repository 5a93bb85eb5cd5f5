"""The studio that `make bench-studio` measures starts, and answers what it measured of itself."""

from __future__ import annotations

from benchmarks.bars_studio import Serving


def test_measured_studio_starts_and_answers() -> None:
    with Serving(3) as serving:
        told = serving.ask()
    assert told["clients"] == 0
    assert told["memory"] > 1 << 20
    assert told["work"] == []
