"""A TLS server in the place of a Kubernetes API, which remembers what it received."""

import json
import ssl

from .http_server import Handler, HTTPServer


class Cluster(HTTPServer):
    """`seen` has the Authorization field of each request; `active` decides which token is good.

    With `client_ca` there is no connection without a client certificate of that authority; `subjects`
    has the common names that were shown.
    """

    def __init__(self, authority, active, client_ca=None):
        super().__init__(_Handler, authority.files("good"))
        if client_ca:
            self.context.verify_mode = ssl.CERT_REQUIRED
            self.context.load_verify_locations(client_ca)
        self.active, self.seen, self.subjects = active, [], []


class _Handler(Handler):
    def do_GET(self):
        authorization = self.headers.get("Authorization", "")
        cluster = self.server
        cluster.seen.append(authorization)
        shown = self.connection.getpeercert() or {}
        cluster.subjects += [value for names in shown.get("subject", ())
                             for name, value in names if name == "commonName"]
        is_active = cluster.active(authorization.removeprefix("Bearer "))
        body = {"major": "1", "minor": "0", "gitVersion": "v1.0.0"} if is_active else {
            "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 401,
            "reason": "Unauthorized", "message": "Unauthorized"}
        self.respond(200 if is_active else 401, json.dumps(body).encode(), "application/json")
