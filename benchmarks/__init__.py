"""Every bar of the engine, measured beside other engines in the same run: `python -m benchmarks [ONLY]`, or
`make bench`.

A module `bars_*` holds one family of bars; `ours` builds our scenes, `peers` those of the other engines.
"""

import os

for _library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):  # one thread, decided before numpy is imported
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
