"""HTTP without surprises, and a browser that fills in the pages as a person would."""

import http.client
import json
import socket
import ssl
import sys
import urllib.parse
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from Servers import pages  # noqa: E402
from Servers.client import Client  # noqa: E402


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def field(self, name):
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        return values[0] if values else None

    def all(self, name):
        return [value for key, value in self.fields if key.lower() == name.lower()]

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()


class HTTP:
    """One request, one connection, no redirects followed."""

    def __init__(self, sandbox, certificate=None, mutual=False):
        self.port = sandbox.mtls_port if certificate or mutual else sandbox.port
        self.context = ssl.create_default_context(cafile=sandbox.ca_file)
        if certificate:
            self.context.load_cert_chain(certificate["certificate"], certificate["key"])

    def send(self, method, target, body=None, fields=None, form=None, document=None, timeout=20):
        fields = dict(fields or {})
        if form is not None:
            body = urllib.parse.urlencode(form).encode()
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        if document is not None:
            body = json.dumps(document).encode()
            fields.setdefault("Content-Type", "application/json")
        parts = urllib.parse.urlsplit(target)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection = http.client.HTTPSConnection(
            "localhost", self.port, context=self.context, timeout=timeout)
        try:
            connection.request(method, path or "/", body=body, headers=fields)
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def client_connection(self, session=None, buffer=None):
        """An open connection that resumes a TLS session, with a receive buffer of that size."""
        connection = http.client.HTTPSConnection("localhost", self.port, context=self.context)
        raw = socket.socket()
        raw.settimeout(20)
        if buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        raw.connect(("127.0.0.1", self.port))
        connection.sock = self.context.wrap_socket(
            raw, server_hostname="localhost", session=session)
        return connection

    def get(self, target, **more):
        return self.send("GET", target, **more)

    def post(self, target, **more):
        return self.send("POST", target, **more)


class Browser(pages.Browser):
    """Stays within the sandbox, stops at the client's address."""

    def __init__(self, sandbox):
        super().__init__(Client(sandbox.ca_file))
        self.issuer = sandbox.issuer

    def open(self, url, *more, **fields):
        return super().open(urllib.parse.urljoin(self.issuer, url), *more, **fields)

    def leaves(self, url):
        return not url.startswith(self.issuer)

    def target(self, answer):
        return answer.fields["Location"] if answer.status == 303 else None

    def sign_in(self, name="alice", password="wonderland", **more):
        return self.submit("/sign-in", username=name, password=password, **more)

    def allow(self):
        return self.submit("/consent", decision="allow")

    @property
    def outcome(self):
        """The parameters with which the browser came back to the client."""
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.address).query))
