"""An HTTPS origin that misbehaves: each first path segment names a fault and acts as an issuer."""

import json
import socket
import ssl
import threading
import time
import urllib.parse

from . import faults
from .process import LOOPBACK


class Hostile:
    """`issuer("token-html")` is a provider whose discovery works and whose token answer is HTML.

    The faults are in faults.py. `seen` lists every request as (fault, endpoint, body).
    """

    def __init__(self, authority):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(authority.chain("good"), authority.key("good"))
        self.listener = socket.create_server((LOOPBACK, 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.origin = f"https://localhost:{self.port}"
        self.seen = []

    def start(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def stop(self):
        self.listener.close()

    def issuer(self, fault: str) -> str:
        return f"{self.origin}/{fault}"

    def count(self, fault: str, endpoint: str) -> int:
        return sum(entry[:2] == (fault, endpoint) for entry in self.seen)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        connection.settimeout(30)
        try:
            with self.context.wrap_socket(connection, server_side=True) as stream:
                request = self._read(stream)
                if request is not None:
                    self._reply(stream, *request)
        except OSError:
            pass  # the client went away: often what it should do

    def _read(self, stream):
        """One request as (method, fault, endpoint, query, body); each connection carries only one."""
        head = b""
        while b"\r\n\r\n" not in head:
            piece = stream.recv(65536)
            if not piece:
                return None
            head += piece
        head, _, body = head.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in
                  (line.partition(":") for line in lines)}
        while len(body) < int(fields.get("content-length", 0)):
            body += stream.recv(65536)
        method, target, _ = first.split(" ")
        split = urllib.parse.urlsplit(target)
        fault, _, endpoint = split.path.lstrip("/").partition("/")
        if fault == ".well-known":  # RFC 8414 puts the issuer's path behind the well-known one
            fault, endpoint = endpoint.rpartition("/")[2], "metadata"
        elif endpoint.startswith(".well-known/"):
            endpoint = "metadata"
        self.seen.append((fault, endpoint, body.decode("latin-1")))
        return method, fault, endpoint, dict(urllib.parse.parse_qsl(split.query)), body

    def _reply(self, stream, method, fault, endpoint, query, body):
        fault_reply = faults.REPLIES.get((fault, endpoint))
        if fault_reply is not None:
            for piece in fault_reply(self.issuer(fault)):
                if isinstance(piece, float):
                    time.sleep(piece)
                else:
                    stream.sendall(piece)
            return
        stream.sendall(self._honest(fault, endpoint, query, body))

    def _honest(self, fault, endpoint, query, body) -> bytes:
        """What a well-behaved provider answers, for the endpoints that the fault leaves alone."""
        match endpoint:
            case "metadata":
                return faults.reply(200, faults.metadata(self.issuer(fault)))
            case "register":
                wanted = json.loads(body or b"{}")
                return faults.reply(201, wanted | {"client_id": "c1", "client_secret": "s1"})
            case "auth":
                faults.NONCES[self.issuer(fault)] = query.get("nonce")
                answer = {"code": "c0de", "state": query.get("state", "")}
                answer |= faults.AUTHORIZATIONS.get(fault, {})
                target = query["redirect_uri"] + "?" + urllib.parse.urlencode(answer)
                return faults.reply(302, "", extra=f"Location: {target}\r\n")
            case "token":
                return faults.reply(200, faults.GOOD_TOKEN)
            case _:
                return faults.reply(404, {"error": "not_found"})
