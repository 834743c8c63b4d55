"""An HTTP server on a free loopback port, in a thread of this process."""

import ssl
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class HTTPServer:
    """Serves with `handler`, which finds this object as `self.server.owner`.

    With `authority` it serves HTTPS with its certificate `good`. With `client_ca`, a file, each client
    must show a certificate of that authority.
    """

    def __init__(self, handler, authority=None, client_ca=None):
        self.server = _Server(("127.0.0.1", 0), handler)
        self.server.owner = self
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        if authority:
            self.url = f"https://localhost:{self.port}"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(authority.chain("good"), authority.key("good"))
            if client_ca:
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(client_ca)
            # The handshake is made by the thread of the connection: a client that waits blocks no other.
            self.server.socket = context.wrap_socket(
                self.server.socket, server_side=True, do_handshake_on_connect=False)

    def start(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        # Clients that end the handshake or the connection are what some tests are about.
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Writes no log, and whole responses."""

    def respond(self, status: int, media_type: str, body: bytes):
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
