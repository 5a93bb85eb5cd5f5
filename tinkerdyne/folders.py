"""Folders of the user: one for compiled code, which can be made again, one for what must outlive a crash."""

from __future__ import annotations

import functools
import logging
import os
import tempfile
from pathlib import Path

log = logging.getLogger("tinkerdyne")


def cache_folder() -> Path:
    """Where compiled code is kept: $TINKERDYNE_CACHE, $XDG_CACHE_HOME, or what the platform has for it."""
    chosen = os.environ.get("TINKERDYNE_CACHE")
    if chosen:
        return Path(chosen)
    given = os.environ.get("XDG_CACHE_HOME")
    if given:
        return Path(given) / "tinkerdyne"
    if not _has_home():
        return Path(_passing_cache().name)
    import platformdirs

    return platformdirs.user_cache_path("tinkerdyne", appauthor=False)


def state_folder() -> Path:
    """Where autosaves are kept: $XDG_STATE_HOME, or what the platform has for it."""
    given = os.environ.get("XDG_STATE_HOME")
    if given:
        return Path(given) / "tinkerdyne"
    if not _has_home():
        return _homeless_state()
    import platformdirs

    return platformdirs.user_state_path("tinkerdyne", appauthor=False)


def _has_home() -> bool:
    """Whether this user has a home folder; those of some containers have none, nor an entry in passwd."""
    try:
        return Path.home().is_absolute()
    except RuntimeError:
        return False


# Temporary folders have new names: code that others could have put into a known one would be run.
@functools.cache
def _passing_cache() -> tempfile.TemporaryDirectory[str]:
    log.warning(
        "there is no home folder, so compiled code is kept for this run only; "
        "name a folder to keep it in: export TINKERDYNE_CACHE=/path"
    )
    return tempfile.TemporaryDirectory(prefix="tinkerdyne-")


@functools.cache
def _homeless_state() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="tinkerdyne-"))
    log.warning(
        "there is no home folder, so autosaves are kept in %s, where the next run does not look for them; "
        "name another folder: export XDG_STATE_HOME=/path",
        folder,
    )
    return folder
