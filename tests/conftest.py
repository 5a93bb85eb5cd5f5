"""One profile for every property test: the same examples on every machine, few enough for a quick run."""

from hypothesis import HealthCheck, Phase, settings

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


def pytest_addoption(parser):
    parser.addoption("--disturb", type=int, default=None, metavar="SEED",
                     help="change the last digits of the samples and starts of sketches, differently with each seed")  # fmt: skip
