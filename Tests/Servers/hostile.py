"""An HTTPS origin that misbehaves: each first path segment names a fault and acts as an issuer."""

import json
import time
import urllib.parse

from . import faults
from .listener import Listener, read_head


class Hostile(Listener):
    """`issuer("token-html")` is a provider whose discovery works and whose token answer is HTML.

    The faults are in faults.py. `seen` lists every request as (fault, endpoint, body).
    """

    def __init__(self, authority):
        super().__init__((authority.chain("good"), authority.key("good")))
        self.origin = f"https://localhost:{self.port}"
        self.seen = []

    def issuer(self, fault: str) -> str:
        return f"{self.origin}/{fault}"

    def count(self, fault: str, endpoint: str) -> int:
        return sum(entry[:2] == (fault, endpoint) for entry in self.seen)

    def serve(self, stream):
        with stream:
            request = self._read(stream)
            if request is not None:
                self._reply(stream, *request)

    def _read(self, stream):
        """One request as (method, fault, endpoint, query, body); each connection carries only one."""
        head = read_head(stream)
        if head is None:
            return None
        first, lines, body = head
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
