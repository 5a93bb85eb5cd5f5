"""Commands that take long: done beside the engine, and answered when they are done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tinkerdyne.studio.session.messages import said
from tinkerdyne.studio.session.session import Deferred, Request, Session


def later(
    session: Session,
    request: Request,
    job: Callable[[], Any],
    then: Callable[[Any], Any] = lambda result: result,
) -> Any:
    """Answer when a long job is done."""

    def done(result: Any) -> None:
        try:
            with session.world.lock:
                found = then(result)
            session.sync()
        except Exception as problem:
            failed(problem)
        else:
            session.answer(request, result=found)

    def failed(problem: BaseException) -> None:
        session.answer(request, error=said(problem), can_force=getattr(problem, "can_force", False))

    session.work_on(job, done, failed)
    return Deferred
