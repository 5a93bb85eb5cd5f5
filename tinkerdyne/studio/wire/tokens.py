"""Tokens that outlive a restart: a tab that was open is let in again by the studio on the same port."""

from __future__ import annotations

import contextlib
import os
import secrets
import time

from tinkerdyne.folders import state_folder

LIFE = 24 * 3600.0  # s after its last use that a token is good for


def fresh() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(24)


def kept(port: int) -> str:
    """The token of the studio that was on this port last, or a fresh one; only this account can read it."""
    file = state_folder() / "tokens" / str(port)
    with contextlib.suppress(OSError):
        if time.time() - file.stat().st_mtime < LIFE:
            found = file.read_text(encoding="ascii").strip()
            if len(found) >= len(fresh()):
                os.utime(file)
                return found
    token = fresh()
    with contextlib.suppress(OSError):  # then tabs must open the new address
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.unlink(missing_ok=True)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
            out.write(token)
    return token
