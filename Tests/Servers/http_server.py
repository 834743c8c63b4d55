"""An HTTP server on a free loopback port, in threads of this process."""

from http.server import BaseHTTPRequestHandler

from .listener import Listener


class HTTPServer(Listener):
    """Serves with `handler`, which finds this object as `self.server`; see `Listener`."""

    def __init__(self, handler, certificate=None):
        super().__init__(certificate)
        self.handler = handler
        self.url = (f"https://localhost:{self.port}" if certificate
                    else f"http://127.0.0.1:{self.port}")

    def serve(self, stream):
        with stream:
            self.handler(stream, None, self)


class Handler(BaseHTTPRequestHandler):
    """Gives requests of every method to `serve`, unless a subclass has `do_METHOD`."""

    protocol_version = "HTTP/1.1"

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.serve
        raise AttributeError(name)

    def body(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"] or 0))

    def respond(self, status: int, body=b"", media_type="text/plain", **fields):
        """Writes a whole response; underscores in names of fields stand for hyphens."""
        self.send_response(status)
        if body:
            self.send_header("Content-Type", media_type)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass
