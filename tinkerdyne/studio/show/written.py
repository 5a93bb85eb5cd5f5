"""What is written into a page that is one file."""

from __future__ import annotations

import gzip

import numpy as np

from tinkerdyne.studio.show.describe import encoder

SMALLER = 9  # gzip's level
UNSAFE = b"\0\r<"  # of the 128 characters, what a page would change or read as a tag


def written(value: object) -> bytes:
    """A value as JSON."""
    return encoder.encode(value)


def packed(name: str, data: bytes) -> str:
    """Bytes as a script of this name that is only text, which `unpacked` of src/wire/unpack.ts reads.

    They are gzipped, then seven bits make a character: unlike base64 this takes a seventh more, not a third.
    Three characters are unsafe in a page: 128 higher they are safe, take two bytes, and have the same bits.
    """
    small = np.frombuffer(gzip.compress(data, SMALLER, mtime=0), np.uint8)
    bits = np.unpackbits(small)
    groups = np.pad(bits, (0, -len(bits) % 7)).reshape(-1, 7)
    codes = np.packbits(groups, axis=1)[:, 0] >> 1
    safe = np.where(np.isin(codes, list(UNSAFE)), codes + 128, codes).astype(np.uint8)
    return f'<script type="text/plain" id="{name}">{safe.tobytes().decode("latin-1")}</script>'
