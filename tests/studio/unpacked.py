"""Reads what a page that is one file holds."""

import gzip
import json
import re
from typing import Any

import numpy as np


def parts(text: str) -> dict[str, bytes]:
    """The bytes in the packed scripts of a page, by their names."""
    found = re.findall(r'<script type="text/plain" id="(\w+)">([^<]*)</script>', text)
    return {name: _bytes(packed) for name, packed in found}


def content(text: str, name: str) -> Any:
    """One of them that is JSON."""
    return json.loads(parts(text)[name])


def _bytes(packed: str) -> bytes:
    codes = np.frombuffer(packed.encode("latin-1"), np.uint8) & 127
    bits = np.unpackbits(codes[:, None], axis=1)[:, 1:].ravel()
    return gzip.decompress(np.packbits(bits[: len(bits) // 8 * 8]).tobytes())
