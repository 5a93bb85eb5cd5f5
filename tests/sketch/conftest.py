"""With `--disturb SEED` the tests of sketches run on samples and starts whose last digits are changed, as on
another machine."""

import numpy as np
import pytest

from tinkerdyne.sketch.disturb import disturbed


@pytest.fixture(autouse=True)
def last_digits(request):
    seed = request.config.getoption("--disturb")
    if seed is None:
        yield
        return
    with disturbed(seed, relative=10 ** np.random.default_rng(seed).uniform(-14, -12)):
        yield
