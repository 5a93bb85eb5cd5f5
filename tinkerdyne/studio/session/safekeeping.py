"""What was not saved: written beside the engine now and then, and kept when another world is opened or the
studio ends."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from tinkerdyne.studio.session.files import scene_text, scene_value
from tinkerdyne.studio.session.messages import said
from tinkerdyne.studio.session.view import NEVER
from tinkerdyne.world.scene import dumps

if TYPE_CHECKING:
    from tinkerdyne.studio.session.session import Session


class Safekeeping:
    """The edits of a session's world that its file does not have."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._written = session.scene.mark()  # of the last autosave
        self._complaint = ""  # why the last autosave failed

    def write(self) -> None:
        """Keep unsaved edits in the state folder, written beside the engine."""
        session = self._session
        scene, files = session.scene, session.files
        mark = scene.mark()
        if mark == self._written:
            return
        self._written = mark
        if not scene.is_dirty:
            files.forget()
            return
        value, title, path = scene_value(session.world, session.hidden()), scene.title, scene.path
        session.work_on(lambda: files.autosave(title, path, dumps(value)), self._ended, self._ended)

    def _ended(self, problem: BaseException | None) -> None:
        """What failed is said once, and tried again."""
        words = "" if problem is None else f"The scene could not be autosaved: {said(problem)}"
        if words:
            self._written = NEVER
        if words and words != self._complaint:
            self._session.notice("warning", words)
        self._complaint = words

    def put_aside(self) -> None:
        """Another world is opened: what was not saved is kept to be recovered."""
        session, scene = self._session, self._session.scene
        if scene.is_dirty:
            try:
                session.files.keep(scene.title, scene.path, scene_text(session.world))
            except OSError as problem:
                raise ValueError(
                    f"{scene.title!r} was not saved and could not be kept: {problem}; save it first"
                ) from problem
            session.notice(
                "info", f"“{scene.title}” was not saved. It is kept: File › Recover brings it back."
            )
        self._written = NEVER

    def end(self) -> None:
        """The studio ends: a last autosave, or none where all is saved."""
        session, scene = self._session, self._session.scene
        if not scene.is_dirty:
            session.files.forget()
            return
        try:
            session.files.autosave(scene.title, scene.path, scene_text(session.world))
        except OSError as problem:
            warnings.warn(
                f"the scene could not be autosaved: {problem}; save the world by world.save()",
                stacklevel=4,
            )
