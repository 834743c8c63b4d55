"""What servers on a raw socket share: a thread for each connection, TLS, the head of a request."""

import socket
import ssl
import threading

from .process import LOOPBACK


class Listener:
    """Listens on a free port of 127.0.0.1. A subclass defines `serve`, which gets each connection.

    `certificate` is a pair of the files of chain and key; without one there is no TLS.
    """

    def __init__(self, certificate=None):
        self.context = None
        if certificate:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(*certificate)
        self.listener = socket.create_server((LOOPBACK, 0), backlog=64)
        self.port = self.listener.getsockname()[1]

    def start(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def stop(self):
        self.listener.close()

    def serve(self, stream):
        raise NotImplementedError

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            if self.context:
                connection.settimeout(30)
                connection = self.context.wrap_socket(connection, server_side=True)
            self.serve(connection)
        except OSError:
            pass  # the client has closed the connection: often what it should do


def read_head(stream):
    """The first line of a request, its other lines, and the bytes after them; None at the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = stream.recv(65536)
        if not piece:
            return None
        data += piece
    head, _, rest = data.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    return first, lines, rest
