"""An HTTP proxy for CONNECT, which speaks TLS to its clients if it has a certificate."""

import socket
import ssl
import threading

from .process import LOOPBACK


class Proxy:
    """Carries what it is asked to; `asked` lists the first lines of all requests."""

    def __init__(self, chain=None, key=None):
        self.context = None
        if chain:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(chain, key)
        self.asked = []
        self.listener = socket.create_server((LOOPBACK, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            if self.context:
                client = self.context.wrap_socket(client, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                piece = client.recv(65536)
                if not piece:
                    return
                head += piece
            self.asked.append(head.split(b"\r\n")[0].decode("latin-1"))
            method, target, _ = self.asked[-1].split(" ")
            if method != "CONNECT":
                return client.close()
            server = socket.create_connection((LOOPBACK, int(target.rpartition(":")[2])))
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        except OSError:
            return
        for source, sink in ((client, server), (server, client)):
            threading.Thread(target=_carry, args=(source, sink), daemon=True).start()


def _carry(source, sink):
    try:
        while piece := source.recv(65536):
            sink.sendall(piece)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # one side has gone away
