"""An HTTPS origin whose replies a test writes, byte by byte."""

import threading
import time
from dataclasses import dataclass, field

from .listener import Listener, read_head


@dataclass
class Request:
    method: str
    target: str
    fields: dict
    body: bytes = b""
    path: str = field(init=False)

    def __post_init__(self):
        self.path = self.target.partition("?")[0]


class Scripted(Listener):
    """`replies[path]` is bytes, or a function of the request that yields bytes and pauses in
    seconds; an Event is waited for. `seen` lists every request. One request a connection.
    `refuses_expectations`: the body of a request with `Expect` is not read."""

    def __init__(self, authority, leaf="good"):
        super().__init__((authority.chain(leaf), authority.key(leaf)))
        self.replies, self.seen = {}, []
        self.refuses_expectations = False

    def url(self, path="", host="localhost") -> str:
        return f"https://{host}:{self.port}{path}"

    def paths(self) -> list:
        return [request.path for request in self.seen]

    def serve(self, stream):
        with stream:
            request = self._read(stream)
            if request is None:
                return
            self.seen.append(request)
            reply = self.replies.get(request.path, http(404, b"nothing is scripted"))
            for piece in [reply] if isinstance(reply, bytes) else reply(request):
                if isinstance(piece, threading.Event):
                    piece.wait(30)
                elif isinstance(piece, float):
                    time.sleep(piece)
                else:
                    stream.sendall(piece)

    def _read(self, stream):
        head = read_head(stream)
        if head is None:
            return None
        first, lines, body = head
        fields = {}
        for line in lines:
            name, _, value = line.partition(":")
            fields.setdefault(name.lower(), []).append(value.strip())
        method, target, _ = first.split(" ", 2)
        if "100-continue" in fields.get("expect", []):
            if self.refuses_expectations:
                return Request(method, target, fields)
            stream.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in fields.get("transfer-encoding", []):
            while not body.endswith(b"0\r\n\r\n"):
                piece = stream.recv(65536)
                if not piece:
                    break
                body += piece
        else:
            while len(body) < int(fields.get("content-length", ["0"])[0]):
                piece = stream.recv(65536)
                if not piece:
                    break
                body += piece
        return Request(method, target, fields, body)


def http(status, body=b"", *, length=None, **fields) -> bytes:
    """A complete response; underscores in names of fields stand for hyphens."""
    lines = [f"HTTP/1.1 {status} Whatever", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    if status != 304:
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
