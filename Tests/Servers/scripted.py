"""An HTTPS origin whose replies a test writes, byte by byte."""

import socket
import ssl
import threading
import time
from dataclasses import dataclass, field

from .process import LOOPBACK


@dataclass
class Request:
    method: str
    target: str
    fields: dict
    body: bytes = b""
    path: str = field(init=False)

    def __post_init__(self):
        self.path = self.target.partition("?")[0]


class Scripted:
    """`replies[path]` is bytes, or a function of the request that yields bytes and pauses in
    seconds; an Event is waited for. `seen` lists every request. One request a connection."""

    def __init__(self, authority, leaf="good"):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(authority.chain(leaf), authority.key(leaf))
        self.listener = socket.create_server((LOOPBACK, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.replies, self.seen = {}, []

    def url(self, path="", host="localhost") -> str:
        return f"https://{host}:{self.port}{path}"

    def start(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def stop(self):
        self.listener.close()

    def paths(self) -> list:
        return [request.path for request in self.seen]

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        connection.settimeout(30)
        try:
            with self.context.wrap_socket(connection, server_side=True) as stream:
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
        except OSError:
            pass  # the client went away: often what it should do

    @staticmethod
    def _read(stream):
        data = b""
        while b"\r\n\r\n" not in data:
            piece = stream.recv(65536)
            if not piece:
                return None
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = {}
        for line in lines:
            name, _, value = line.partition(":")
            fields.setdefault(name.lower(), []).append(value.strip())
        if "100-continue" in fields.get("expect", []):
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
        method, target, _ = first.split(" ", 2)
        return Request(method, target, fields, body)


def http(status, body=b"", *, length=None, **fields) -> bytes:
    """A complete response; underscores in names of fields stand for hyphens."""
    lines = [f"HTTP/1.1 {status} Whatever", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    if status != 304:
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
