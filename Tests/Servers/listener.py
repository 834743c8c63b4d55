"""What all servers of this process share: a thread for each connection, TLS, the reading of requests."""

import socket
import ssl
import threading
import time
from dataclasses import dataclass

from .process import LOOPBACK, wait_until


class Listener:
    """Listens on a free port of 127.0.0.1. A subclass defines `serve`, which gets each connection.

    `certificate` is a pair of the files of chain and key; without one there is no TLS.
    """

    def __init__(self, certificate=None):
        self.context = certificate and server_context(*certificate)
        self.connections, self.lock = 0, threading.Lock()
        self.listener = socket.create_server((LOOPBACK, 0), backlog=256)
        self.port = self.listener.getsockname()[1]

    def start(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def stop(self):
        # A thread that waits in accept() holds the port until it wakes up.
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it was stopped before
        self.listener.close()

    def serve(self, stream):
        raise NotImplementedError

    def secure(self, connection):
        """The connection after its TLS handshake."""
        if self.context is None:
            return connection
        connection.settimeout(30)
        return self.context.wrap_socket(connection, server_side=True)

    def handle(self, connection):
        """What the thread of a connection does."""
        self.serve(self.secure(connection))

    def settle(self):
        """Returns when all connections are over that a client has opened."""
        # They are accepted in their order, so those before this one are counted when it has ended.
        with socket.create_connection((LOOPBACK, self.port), timeout=20) as last:
            last.shutdown(socket.SHUT_WR)
            last.recv(1)
        wait_until(lambda: self.connections == 0, "the end of all connections")

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with self.lock:
                self.connections += 1
            threading.Thread(target=self._handle, args=(connection,), daemon=True).start()

    def _handle(self, connection):
        try:
            self.handle(connection)
        except OSError:
            pass  # the client has closed the connection: often what it should do
        finally:
            with self.lock:
                self.connections -= 1


def server_context(chain, key) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    return context


@dataclass
class Request:
    """`fields` has lists of values by name in small letters."""

    line: str
    fields: dict
    body: bytes = b""

    def __post_init__(self):
        self.method, self.target, _ = self.line.split(" ", 2)
        self.path = self.target.partition("?")[0]


def read_head(stream):
    """A request without its body, and the bytes after the head; None at the end of the stream."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = stream.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    fields = {}
    for line in lines:
        name, _, value = line.partition(":")
        fields.setdefault(name.lower(), []).append(value.strip())
    return Request(first, fields), rest


def read_request(stream, refuses_expectations=False):
    """A request; None at the end of the stream. A chunked body stays as it was sent.

    `refuses_expectations`: the body of a request with `Expect` is not read.
    """
    head = read_head(stream)
    if head is None:
        return None
    request, body = head
    if "100-continue" in request.fields.get("expect", []):
        if refuses_expectations:
            return request
        stream.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    is_chunked = "chunked" in request.fields.get("transfer-encoding", [])
    length = int(request.fields.get("content-length", ["0"])[0])
    while not body.endswith(b"0\r\n\r\n") if is_chunked else len(body) < length:
        piece = stream.recv(65536)
        if not piece:
            break
        body += piece
    request.body = body
    return request


def send(stream, pieces):
    """Sends bytes; a number of seconds is a pause, and an Event is waited for."""
    for piece in pieces:
        if isinstance(piece, threading.Event):
            piece.wait(30)
        elif isinstance(piece, float):
            time.sleep(piece)
        else:
            stream.sendall(piece)
