"""A TLS server in the place of a Kubernetes API, which remembers what it received."""

import json
import ssl
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Cluster:
    """`seen` has the Authorization field of each request; `active` decides which token is good.

    With `client_ca` there is no connection without a client certificate of that authority; `subjects`
    has the common names that were shown.
    """

    def __init__(self, authority, active, client_ca=None):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        self.server.daemon_threads = True
        self.server.active, self.server.seen, self.server.subjects = active, [], []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(authority.chain("good"), authority.key("good"))
        if client_ca:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(client_ca)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://localhost:{self.server.server_address[1]}"

    @property
    def seen(self) -> list:
        return self.server.seen

    @property
    def subjects(self) -> list:
        return self.server.subjects

    def start(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        authorization = self.headers.get("Authorization", "")
        self.server.seen.append(authorization)
        shown = self.connection.getpeercert() or {}
        self.server.subjects += [value for names in shown.get("subject", ())
                                 for name, value in names if name == "commonName"]
        isActive = self.server.active(authorization.removeprefix("Bearer "))
        body = json.dumps({"major": "1", "minor": "0", "gitVersion": "v1.0.0"} if isActive else {
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 401,
            "reason": "Unauthorized", "message": "Unauthorized"}).encode()
        self.send_response(200 if isActive else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass
