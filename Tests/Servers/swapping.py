"""A TLS server that shows another certificate on each connection, and keeps what clients send."""

from .listener import Listener, server_context


class SwappingServer(Listener):
    """`received` has the bytes of each connection in order, the last certificate stays."""

    def __init__(self, *certificates):
        super().__init__()
        self.contexts = [server_context(*files) for files in certificates]
        self.received = []

    def handle(self, connection):
        with self.lock:
            number = len(self.received)
            self.received.append(b"")
        context = self.contexts[min(number, len(self.contexts) - 1)]
        with connection, context.wrap_socket(connection, server_side=True) as stream:
            # TLS 1.3 ends its handshake before the client has judged the certificate.
            self.received[number] = stream.recv(65536)
            if self.received[number]:
                stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n"
                               b"Connection: close\r\n\r\nok\n")
