"""An HTTP proxy for CONNECT, which speaks TLS to its clients if it has a certificate."""

import socket
import threading

from .listener import Listener, read_head
from .process import LOOPBACK


class Proxy(Listener):
    """Carries what it is asked to; `asked` lists the first lines of all requests."""

    def __init__(self, chain=None, key=None):
        super().__init__((chain, key) if chain else None)
        self.asked = []
        self.start()

    def serve(self, client):
        head = read_head(client)
        if head is None:
            return
        self.asked.append(head[0])
        method, target, _ = head[0].split(" ")
        if method != "CONNECT":
            return client.close()
        server = socket.create_connection((LOOPBACK, int(target.rpartition(":")[2])))
        client.settimeout(None)
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        for source, sink in ((client, server), (server, client)):
            threading.Thread(target=_carry, args=(source, sink), daemon=True).start()


def _carry(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # one side has gone away
