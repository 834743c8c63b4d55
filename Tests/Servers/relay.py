"""Servers that carry the bytes of a connection to another server of this machine."""

import socket
import threading
import time

from .listener import Listener, read_head
from .process import LOOPBACK


class Carrier(Listener):
    """Each piece of a response waits `delay` seconds first."""

    delay = 0.0

    def carry(self, client, target: int):
        """Carries bytes to the port `target` and back, until both sides have closed."""
        with client, socket.create_connection((LOOPBACK, target)) as server:
            for end in (client, server):
                end.settimeout(None)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            back = threading.Thread(target=self._copy, args=(server, client, True), daemon=True)
            back.start()
            self._copy(client, server)
            back.join()

    def _copy(self, source, sink, late=False):
        try:
            while piece := source.recv(65536):
                if late and self.delay:
                    time.sleep(self.delay)
                sink.sendall(piece)
        except OSError:
            pass  # one side has gone away
        try:
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Relay(Carrier):
    """Stands before the port `target`.

    What it carries is TLS, which ends at the target: the names, the keys and the pins are its own.
    """

    def __init__(self, target: int, delay=0.0):
        super().__init__()
        self.target, self.delay = target, delay

    def serve(self, client):
        self.carry(client, self.target)


class Proxy(Carrier):
    """An HTTP proxy for CONNECT, which speaks TLS to its clients if it has a certificate.

    `asked` lists the first lines of all requests.
    """

    def __init__(self, certificate=None):
        super().__init__(certificate)
        self.asked = []

    def serve(self, client):
        head = read_head(client)
        if head is None:
            return
        request, _ = head
        self.asked.append(request.line)
        if request.method != "CONNECT":
            return client.close()
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        self.carry(client, int(request.target.rpartition(":")[2]))
