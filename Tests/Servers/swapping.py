"""A TLS server that shows another certificate on each connection, and keeps what clients send."""

import socket
import ssl
import threading

from .process import LOOPBACK


class SwappingServer:
    """`received` has the bytes of each connection in order, the last certificate stays."""

    def __init__(self, *chains):
        self.contexts = []
        for chain, key in chains:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(chain, key)
            self.contexts.append(context)
        self.received = []
        self.listener = socket.create_server((LOOPBACK, 0))
        self.port = self.listener.getsockname()[1]
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def close(self):
        self.listener.close()

    def _serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            context = self.contexts[min(len(self.received), len(self.contexts) - 1)]
            self.received.append(b"")
            try:
                with context.wrap_socket(client, server_side=True) as connection:
                    # TLS 1.3 ends its handshake before the client has judged the certificate.
                    data = connection.recv(65536)
                    self.received[-1] = data
                    if data:
                        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"
                                           b"Connection: close\r\n\r\nok\n")
            except OSError:
                client.close()
