"""Arrays of numbers: the one type by which every folder speaks of them."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

# Lengths and kinds of numbers stand in the docstrings of what takes and returns arrays.
Array: TypeAlias = np.ndarray[Any, Any]
