"""A local HTTP server that speaks Gemini's REST as its clients use it, with replies given in turn."""

import json
import socket
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


@dataclass(frozen=True)
class Reply:
    """One HTTP answer. ``body`` is JSON, or text that is sent as it is.

    delay_seconds: before it begins. cut: the connection ends in its middle. drip_seconds: between its bytes.
    """

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0
    cut: bool = False
    drip_seconds: float = 0.0


def answer(
    parts: Sequence[Mapping[str, Any]],
    finish: str = "STOP",
    tokens: tuple[int, int] = (1000, 200),
    cached: int | None = None,
) -> Reply:
    """A usual answer of generateContent."""
    return Reply(
        {
            "candidates": [
                {"content": {"parts": list(parts), "role": "model"}, "finishReason": finish, "index": 0}
            ],
            "usageMetadata": {
                "promptTokenCount": tokens[0],
                "candidatesTokenCount": tokens[1],
                "totalTokenCount": sum(tokens),
                **({} if cached is None else {"cachedContentTokenCount": cached}),
            },
            "modelVersion": "gemini-2.5-flash-001",
            "responseId": "r-1",
        }
    )


def structured(arguments: Mapping[str, Any], **more: Any) -> Reply:
    """An answer in the declared form: a call of the output function."""
    return answer([{"functionCall": {"id": "fc-1", "name": "final_result", "args": dict(arguments)}}], **more)


def blocked() -> Reply:
    """The prompt was refused by a filter."""
    return Reply({"promptFeedback": {"blockReason": "SAFETY"}, "modelVersion": "gemini-2.5-flash-001"})


def failure(
    status: int, retry_after: str | None = None, retry_info: str | None = None, quota: str | None = None
) -> Reply:
    """An error of the API."""
    kind = "type.googleapis.com/google.rpc."
    details: list[dict[str, Any]] = []
    if retry_info:
        details.append({"@type": f"{kind}RetryInfo", "retryDelay": retry_info})
    if quota:
        details.append({"@type": f"{kind}QuotaFailure", "violations": [{"quotaId": quota}]})
    error = {"code": status, "message": "made up", "status": "MADE_UP", "details": details}
    return Reply({"error": error}, status, {"Retry-After": retry_after} if retry_after else {})


class GeminiServer:
    """Gives the replies in turn, the last one again and again, and keeps every request."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self._lock = threading.Lock()
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self._places: int | None = None
        self._more = failure(429)
        self._under_way = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def limit(self, places: int, more: Reply, usual: Reply) -> None:
        """From now on ``usual`` for so many requests at a time, and ``more`` for those beyond."""
        self._places, self._more, self._replies = places, more, [usual]

    def _count(self, change: int) -> None:
        with self._lock:
            self._under_way += change

    def _respond(self, method: str, path: str, headers: dict[str, str], body: bytes) -> Reply:
        """What is answered; a server of more than one kind of request overrides it."""
        return self._next(path, headers, body)

    def _next(self, path: str, headers: dict[str, str], body: bytes) -> Reply:
        with self._lock:
            self.paths.append(path)
            self.headers.append(headers)
            self.times.append(time.monotonic())
            self.requests.append(json.loads(body))
            if self._places is not None and self._under_way > self._places:
                return self._more
            return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                server._count(1)
                try:
                    self._reply()
                finally:
                    server._count(-1)

            do_GET = do_DELETE = do_POST  # noqa: N815

            def _reply(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"] or 0))
                reply = server._respond(self.command, self.path, dict(self.headers), body)
                time.sleep(reply.delay_seconds)
                content = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
                try:
                    self.send_response(reply.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(content.encode())))
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self._write(content.encode(), reply)
                except (BrokenPipeError, ConnectionResetError):
                    pass

            def _write(self, content: bytes, reply: Reply) -> None:
                if reply.cut:
                    self.wfile.write(content[: len(content) // 2])
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                elif reply.drip_seconds:
                    for place in range(len(content)):
                        self.wfile.write(content[place : place + 1])
                        self.wfile.flush()
                        time.sleep(reply.drip_seconds)
                else:
                    self.wfile.write(content)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        return Handler
