"""Who may speak to the studio: this machine, with its token, from its own page; and what the page may be
given."""

from __future__ import annotations

import http.client
import socket

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import tinkerdyne as td
from tests.patience import HANG, patience
from tests.studio.page import Page
from tinkerdyne.studio.session import files
from tinkerdyne.studio.wire import impatient
from tinkerdyne.studio.wire.server import Server


@pytest.fixture
def server(show) -> Server:
    return show(td.World())._server


def get(server: Server, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    """A raw request: the Host header is ours to choose."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=HANG)
    connection.putrequest(method, path, skip_host=True)
    for name, value in {
        "Host": f"127.0.0.1:{server.port}",
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    response.body = response.read()  # type: ignore[attr-defined]
    return response


def cookie(server: Server) -> str:
    return get(server, f"/?token={server.token}").getheader("Set-Cookie", "").split(";")[0]


def refused_socket(server: Server, status: int, path: str = "/ws", **headers: str) -> None:
    origin = headers.pop("Origin", None)
    extra = {k.replace("_", "-"): v for k, v in headers.items()}
    address = f"ws://127.0.0.1:{server.port}{path}"
    with pytest.raises(InvalidStatus) as refusal, connect(address, origin=origin, additional_headers=extra):
        pass
    assert refusal.value.response.status_code == status


def test_it_listens_on_this_machine_only(server):
    assert server.socket.getsockname()[0] == "127.0.0.1"


def test_what_is_sent_is_sent_at_once(server):
    """asyncio turns Nagle's algorithm off only for sockets that say they are TCP; else a reply waits 40 ms
    for another one."""
    assert server.socket.proto == socket.IPPROTO_TCP


def test_the_token_of_the_url_becomes_a_cookie_and_leaves_the_url(server):
    answer = get(server, f"/?token={server.token}&lowfx=1")
    assert (
        answer.status == 200 and b'url=/?lowfx=1"' in answer.body and server.token.encode() not in answer.body
    )
    given = answer.getheader("Set-Cookie", "")
    assert server.token in given and "HttpOnly" in given and "SameSite=strict" in given and "Path=/" in given
    assert len(server.token) >= 32


def test_without_the_cookie_nothing_is_given(server):
    assert get(server, "/").status == 403
    assert get(server, "/?token=wrong").status == 403
    assert get(server, "/?token=").status == 403
    assert get(server, "/", Cookie=f"{server.cookie}=wrong").status == 403
    assert get(server, "/", Cookie=cookie(server)).status in (200, 503)


HOSTS = (
    "evil.example",
    "evil.example:{port}",
    "127.0.0.1",
    "127.0.0.1:1",
    "127.0.0.1.evil.example:{port}",
    "",
)
ORIGINS = (
    "http://evil.example",
    "null",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:1",
    "http://localhost",
)
PATHS = (
    "../out.json",
    "/etc/passwd",
    "a/../../out",
    "..",
    "link.json",
    "folder-link/out.json",
    "x\u0000y",
    "",
)


@pytest.mark.parametrize("host", HOSTS)
def test_a_foreign_host_is_refused(server, host):
    assert get(server, f"/?token={server.token}", Host=host.format(port=server.port)).status in (400, 421)


@pytest.mark.parametrize("origin", ORIGINS)
def test_a_foreign_origin_is_refused(server, origin):
    origin = origin.format(port=server.port)
    assert get(server, "/", Cookie=cookie(server), Origin=origin).status == 403
    refused_socket(server, 403, Origin=origin, Cookie=cookie(server))
    refused_socket(server, 403, Origin=origin, X_Tinkerdyne_Token=server.token)


def test_a_socket_needs_an_origin_or_the_token_in_a_header(server):
    refused_socket(server, 403)
    refused_socket(server, 403, Cookie=cookie(server))  # a cookie alone could come from anywhere
    refused_socket(server, 403, X_Tinkerdyne_Token="wrong")
    refused_socket(server, 403, Origin=f"http://127.0.0.1:{server.port}")  # a page without the cookie
    refused_socket(server, 404, "/elsewhere", X_Tinkerdyne_Token=server.token)
    for host in ("127.0.0.1", "localhost"):
        with connect(
            f"ws://127.0.0.1:{server.port}/ws",
            origin=f"http://{host}:{server.port}",
            additional_headers={"Cookie": cookie(server)},
            open_timeout=HANG,
            close_timeout=0.2,
        ) as page:
            assert "Hello" in page.recv(timeout=HANG)


def test_a_socket_to_a_foreign_host_is_refused(server):
    with socket.create_connection(("127.0.0.1", server.port)) as raw:
        lines = [
            "GET /ws HTTP/1.1",
            "Host: evil.example",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
        ]
        lines += [
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            f"x-tinkerdyne-token: {server.token}",
            "",
            "",
        ]
        raw.sendall("\r\n".join(lines).encode())
        assert b" 421 " in raw.recv(200)


def test_every_answer_carries_the_usual_headers(server):
    for answer in (
        get(server, f"/?token={server.token}"),
        get(server, "/"),
        get(server, "/nothing", Cookie=cookie(server)),
    ):
        policy = answer.getheader("Content-Security-Policy", "")
        assert (
            "default-src 'none'" in policy
            and "script-src 'self';" in policy
            and "frame-ancestors 'none'" in policy
        )
        assert answer.getheader("X-Content-Type-Options") == "nosniff"
        assert answer.getheader("Referrer-Policy") == "no-referrer"
        assert answer.getheader("X-Frame-Options") == "DENY"
        assert answer.getheader("Access-Control-Allow-Origin") is None


def test_only_get_is_answered(server):
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        assert get(server, "/", method, Cookie=cookie(server), Content_Length="0").status == 405


@pytest.fixture
def built(tmp_path, monkeypatch):
    """A built page, and a file beside it that must stay unseen."""
    dist = tmp_path / "dist"
    (dist / "assets").mkdir(parents=True)
    (dist / "index.html").write_text("<!doctype html>the page")
    (dist / "assets" / "main.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(files, "CLIENT", dist)
    return dist


def test_the_built_page_is_served(server, built):
    given = cookie(server)
    page, script = get(server, "/", Cookie=given), get(server, "/assets/main.js", Cookie=given)
    assert page.body == b"<!doctype html>the page" and page.getheader("Cache-Control") == "no-store"
    assert script.getheader("Content-Type", "").startswith("text/javascript")
    assert "immutable" in script.getheader("Cache-Control", "")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/assets/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "//secret.txt",
        "/.//../secret.txt",
        "/assets/..%5c..%5csecret.txt",
        "/secret.txt%00.js",
        "/assets",
    ],
)
def test_no_path_leads_out_of_the_page(server, built, path):
    answer = get(server, path, Cookie=cookie(server))
    assert answer.status in (400, 404) and b"secret" not in answer.body.replace(b"no such", b"")


def test_a_page_that_is_not_built_says_how(server, built):
    (built / "index.html").unlink()
    answer = get(server, "/", Cookie=cookie(server))
    assert answer.status == 503 and b"make studio" in answer.body


@pytest.mark.parametrize("path", PATHS)
def test_no_file_outside_the_folder_is_read_or_written(show, tmp_path, path):
    shown = show(td.World(), title="empty")
    folder = tmp_path / "scenes"
    (tmp_path / "outside").mkdir()
    (tmp_path / "target.json").write_text(td.World().to_json())
    (folder / "link.json").symlink_to(tmp_path / "target.json")
    (folder / "folder-link").symlink_to(tmp_path / "outside")
    page = Page(shown._server)
    page.refused("save", path=path, is_forced=True)
    page.refused("open", path=path)
    assert not (tmp_path / "out.json").exists() and not list((tmp_path / "outside").iterdir())
    page.close()


def test_formulas_of_pages_are_parsed_not_executed(show):
    shown = show(td.World())
    page = Page(shown._server)
    for text in (
        "__import__('os').system('true')",
        "().__class__",
        "(lambda: 1)()",
        "open('/etc/passwd')",
        "9**9**9",
    ):
        assert page.refused("insert", of="formula_value", values={"text": [text]})
    page.close()


def test_an_idle_connection_that_breaks_the_protocol_is_closed(server):
    with connect(
        f"ws://127.0.0.1:{server.port}/ws",
        additional_headers={"x-tinkerdyne-token": server.token},
        open_timeout=HANG,
        close_timeout=0.2,
    ) as page:
        page.recv(timeout=HANG)
        page.socket.sendall(b"\xff" * 64)
        with pytest.raises(ConnectionClosed):
            while True:
                page.recv(timeout=HANG)


def test_a_half_open_connection_is_closed(show, monkeypatch):
    monkeypatch.setattr("tinkerdyne.studio.wire.server.PING", 0.3)
    monkeypatch.setattr("tinkerdyne.studio.wire.server.PONG", patience(2.0))
    shown = show(td.World())
    live = Page(shown._server)
    # shakes hands, and is never heard of again
    with socket.create_connection(("127.0.0.1", shown._server.port)) as dead:
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        lines = [
            "GET /ws HTTP/1.1",
            f"Host: 127.0.0.1:{shown._server.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
        ]
        lines += [
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"X-Tinkerdyne-Token: {shown._server.token}",
            "",
            "",
        ]
        dead.sendall("\r\n".join(lines).encode())
        assert dead.recv(12) == b"HTTP/1.1 101"
        live.until(lambda: len(shown._session.clients) == 2)
        live.until(lambda: len(shown._session.clients) == 1)
    live.ask("ask", what="recovery")  # who answers pings stays
    live.close()


@pytest.mark.parametrize(
    "sent", [b"", b"G", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"y" * 3000]
)
def test_a_request_that_is_half_sent_does_not_keep_its_connection(server, monkeypatch, sent):
    monkeypatch.setattr(impatient, "PATIENCE", 0.2)
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANG) as page:
        page.sendall(sent)
        assert page.recv(100) == b""  # closed, and nothing was said


def test_nor_does_the_second_request_of_a_connection(server, monkeypatch):
    monkeypatch.setattr(impatient, "PATIENCE", 0.2)
    host = f"127.0.0.1:{server.port}".encode()
    with socket.create_connection(("127.0.0.1", server.port), timeout=HANG) as page:
        page.sendall(b"GET / HTTP/1.1\r\nHost: " + host + b"\r\n\r\nGET / HT")
        said = b""
        while more := page.recv(10_000):
            said += more
        assert b"403" in said
