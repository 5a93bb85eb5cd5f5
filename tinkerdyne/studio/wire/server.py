"""The studio's server: the page, and one socket a page.
It listens on this machine only, and only to who has its token.

A token in the printed URL becomes a cookie (HttpOnly, SameSite=Strict). Every request must name this server
as its Host; a socket must come from a page of this server (Origin), or bring the token in a header. Frames
are never queued: a page that reads slowly gets the newest one when it is ready. Replies are never dropped: a
page that does not take them is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import mimetypes
import secrets
import socket
import threading
import time
from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode

import msgspec
import uvicorn
from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from tinkerdyne.studio.session import files
from tinkerdyne.studio.session.session import Session
from tinkerdyne.studio.wire import protocol
from tinkerdyne.studio.wire.impatient import Impatient
from tinkerdyne.studio.wire.mailbox import Mailbox
from tinkerdyne.studio.wire.tokens import fresh, kept

HOST = "127.0.0.1"
PORT = 8137
TRIES = 50  # ports tried after the wanted one
HEADER = "x-tinkerdyne-token"
RATE, BURST = 2000.0, 400.0  # messages a second that one page may send for long, and at once
PAUSE = 0.02  # s that a page is not read when it sent too much
MOST_UNANSWERED = 512  # requests of a page that wait at a time
PING, PONG = 10.0, 20.0  # s between two signs of life, and until one that does not come ends a connection
STALLED = 20.0  # s that a page may take to read one message
# bytes that the system keeps for a page that does not read: what lies there is old when it is read
UNREAD = 1 << 17
PAGES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}
Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]

decoder = msgspec.json.Decoder(protocol.Request)
_numbered = msgspec.json.Decoder(dict[str, Any])


class Server:
    """Page and sockets of one session."""

    def __init__(
        self, session: Session, *, host: str = HOST, port: int = PORT, token: str | None = None
    ) -> None:
        self.session = session
        self.socket = free_socket(host, port)
        self.port: int = self.socket.getsockname()[1]
        self.token = token or (kept(self.port) if port else fresh())
        self.hosts = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self.origins = {f"http://{host}" for host in self.hosts}
        self.cookie = f"tinkerdyne-{self.port}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_woken = False
        self._pages: dict[Mailbox, asyncio.Event] = {}
        config = uvicorn.Config(
            self,
            http=Impatient,
            log_level="critical",
            access_log=False,
            ws="websockets-sansio",
            ws_max_size=protocol.LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            ws_ping_interval=PING,
            ws_ping_timeout=PONG,
            lifespan="off",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        self._uvicorn = uvicorn.Server(config)
        self._uvicorn.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        self._thread = threading.Thread(target=self._serve, name="tinkerdyne-server", daemon=True)
        session.wake = self.wake

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}/?token={self.token}"

    def start(self) -> None:
        """Serve in a thread of its own."""
        self._thread.start()
        while not self._uvicorn.started and self._thread.is_alive():
            time.sleep(0.005)

    def stop(self) -> None:
        self._uvicorn.should_exit = True
        if self._thread.is_alive():
            self._thread.join(5.0)
        self.socket.close()

    def _serve(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        await self._uvicorn._serve([self.socket])

    def wake(self) -> None:
        """Something waits in the mailboxes."""
        if self._loop is not None and not self._is_woken:
            self._is_woken = True
            with contextlib.suppress(RuntimeError):  # the loop is closed: the server was stopped
                self._loop.call_soon_threadsafe(self._wake_all)

    def _wake_all(self) -> None:
        self._is_woken = False
        for event in self._pages.values():
            event.set()

    # --- requests --------------------------------------------------------------------------------
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self.hosts:
            await self._refuse(scope, receive, send, 421, "this server answers to its own address only")
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send, headers)
        elif scope["type"] == "http":
            await self._answer(scope, headers)(scope, receive, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
        response = self._safe(PlainTextResponse(f"{why}\n", status))
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(response)
        else:
            await response(scope, receive, send)

    def _has_token(self, headers: Headers) -> bool:
        return secrets.compare_digest(headers.get(HEADER, "").encode(), self.token.encode())

    def _has_cookie(self, headers: Headers) -> bool:
        given = ""
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == self.cookie:
                given = value
        return secrets.compare_digest(given.encode(), self.token.encode())

    def _answer(self, scope: Scope, headers: Headers) -> Response:
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            return self._safe(PlainTextResponse("this page belongs to another site\n", 403))
        if scope["method"] not in ("GET", "HEAD"):
            return self._safe(PlainTextResponse("only GET\n", 405, {"Allow": "GET, HEAD"}))
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        if "token" in query:
            return self._safe(self._exchange(query))
        if not (self._has_cookie(headers) or self._has_token(headers)):
            said = "open the address that the studio printed: it has the token\n"
            return self._safe(PlainTextResponse(said, 403))
        return self._safe(self._file(scope["path"]))

    def _exchange(self, query: dict[str, str]) -> Response:
        """The token of the URL for a cookie.

        The page goes on by itself: a redirect from elsewhere would not carry the cookie."""
        if not secrets.compare_digest(query.pop("token").encode(), self.token.encode()):
            return PlainTextResponse(
                "this token is wrong, or of an earlier start; open the address that was printed last\n", 403
            )
        to = escape(f"/?{urlencode(query)}" if query else "/", quote=True)
        text = (
            '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" '
            f'content="0;url={to}"><title>Tinkerdyne</title>'
        )
        text += '<link rel="icon" href="data:,">'  # none: else browsers ask for /favicon.ico
        response = HTMLResponse(text)
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        return response

    def _file(self, path: str) -> Response:
        """A file of the built page.

        Only names that are listed in its folder are known, so no path leads out of it."""
        listed = {
            "/" + one.relative_to(files.CLIENT).as_posix(): one
            for one in files.CLIENT.rglob("*")
            if one.is_file()
        }
        found = listed.get("/index.html" if path == "/" else path)
        if found is not None:
            kind = (
                PAGES.get(found.suffix) or mimetypes.guess_type(found.name)[0] or "application/octet-stream"
            )
            lasting = path.startswith("/assets/")
            cache = "public, max-age=31536000, immutable" if lasting else "no-store"
            return Response(Path(found).read_bytes(), media_type=kind, headers={"Cache-Control": cache})
        if path == "/":
            return HTMLResponse(NOT_BUILT, 503)
        return PlainTextResponse("there is no such file\n", 404)

    def _safe(self, response: Response) -> Response:
        # CSP knows no such addresses
        sockets = " ".join(sorted(f"ws://{host}" for host in self.hosts if not host.startswith("[")))
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: "
            "blob:; font-src 'self'; "
            f"connect-src 'self' {sockets}; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        response.headers.setdefault("Cache-Control", "no-store")
        response.headers.update(
            {
                "Content-Security-Policy": policy,
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                "Referrer-Policy": "no-referrer",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
            }
        )
        return response

    # --- sockets ---------------------------------------------------------------------------------
    async def _connect(self, scope: Scope, receive: Receive, send: Send, headers: Headers) -> None:
        origin = headers.get("origin")
        has_token = self._has_token(headers)
        if origin is None and not has_token:
            await self._refuse(
                scope, receive, send, 403, f"a socket without an Origin needs the header {HEADER}"
            )
        elif origin is not None and origin not in self.origins:
            await self._refuse(scope, receive, send, 403, "this page belongs to another site")
        elif not (has_token or self._has_cookie(headers)):
            await self._refuse(
                scope, receive, send, 403, "the cookie is missing; open the address that the studio printed"
            )
        elif scope["path"] != protocol.SOCKET:
            await self._refuse(scope, receive, send, 404, f"the socket is at {protocol.SOCKET}")
        else:
            await self._talk(WebSocket(scope, receive, send))

    async def _talk(self, page: WebSocket) -> None:
        await page.accept()
        event = asyncio.Event()
        client = self.session.join()
        self._pages[client] = event
        sending = asyncio.create_task(self._send(page, client, event))
        hearing = asyncio.create_task(self._hear(page, client, event))
        try:
            await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._pages[client]
            self.session.leave(client)
            for task in (sending, hearing):
                task.cancel()
            await asyncio.gather(sending, hearing, return_exceptions=True)

    async def _hear(self, page: WebSocket, client: Mailbox, event: asyncio.Event) -> None:
        """Take requests, no faster than a page may send them: then it is not read, and has to wait."""
        credit, last = BURST, time.monotonic()
        while True:
            try:
                message = await page.receive()
            except (WebSocketDisconnect, RuntimeError):
                return
            if message["type"] != "websocket.receive":
                return
            text = message.get("text")
            if text is None:
                await page.close(1003, "requests are text, not binary")
                return
            self._request(client, text, event)
            now = time.monotonic()
            credit = min(BURST, credit + RATE * max(0.0, now - last)) - 1
            last = now
            if credit < 0:
                await asyncio.sleep(PAUSE)
            while client.waiting > MOST_UNANSWERED:
                await asyncio.sleep(0.005)

    def _request(self, client: Mailbox, text: str, event: asyncio.Event) -> None:
        try:
            request = decoder.decode(text)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as problem:
            seq = _number_of(text)
            client.put(msgspec.json.encode(protocol.Reply(seq, f"this is not a request: {problem}")))
            event.set()
            return
        if client.begin(request.seq):
            self.session.submit(client, request.seq, request.command)
        else:
            event.set()

    async def _send(self, page: WebSocket, client: Mailbox, event: asyncio.Event) -> None:
        """Send what waits, one message after the other; a page that takes too long is closed."""
        while True:
            await event.wait()
            event.clear()
            if client.is_overfull:
                await page.close(1013, "replies were not read")
                return
            texts, frame = client.take()
            try:
                for text in texts:
                    await asyncio.wait_for(page.send_text(text.decode()), STALLED)
                if frame is not None:
                    await asyncio.wait_for(page.send_bytes(frame), STALLED)
            except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
                return


def _number_of(text: str) -> int:
    """The number of a request that is otherwise wrong, 0 when it has none."""
    try:
        seq = _numbered.decode(text).get("seq", 0)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return 0
    return seq if isinstance(seq, int) and not isinstance(seq, bool) and abs(seq) < 2**53 else 0


def free_socket(host: str, port: int) -> socket.socket:
    """A socket on the wanted port, or on the next free one."""
    last: OSError | None = None
    for k in range(TRIES if port else 1):
        # said, so that asyncio sends at once
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
            made.bind((host, port + k if port else 0))
            made.listen(128)
        except (OSError, OverflowError) as problem:
            made.close()
            last = problem if isinstance(problem, OSError) else OSError(str(problem))
            continue
        made.setblocking(False)
        return made
    raise OSError(
        f"no free port from {port} to {port + TRIES - 1} on {host}: {last}; name another with --port"
    )


NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Tinkerdyne studio</title>
<h1>The page of the studio is not built</h1><p>The server runs. In a checkout, <code>make studio</code> builds
the page and starts the studio; an installed package has it already.</p></html>
"""
