"""An HTTPS origin that misbehaves: each first path segment names a fault and acts as an issuer."""

import json
import urllib.parse

from . import faults
from .scripted import Scripted


class Hostile(Scripted):
    """`issuer("token-html")` is a provider whose discovery works and whose token answer is HTML.

    The faults are in faults.py. `seen` lists every request as (fault, endpoint, body).
    """

    def issuer(self, fault: str) -> str:
        return self.url(f"/{fault}")

    def count(self, fault: str, endpoint: str) -> int:
        return sum(entry[:2] == (fault, endpoint) for entry in self.seen)

    def reply(self, request):
        fault, _, endpoint = request.path.lstrip("/").partition("/")
        if fault == ".well-known":  # RFC 8414 puts the issuer's path behind the well-known one
            fault, endpoint = endpoint.rpartition("/")[2], "metadata"
        elif endpoint.startswith(".well-known/"):
            endpoint = "metadata"
        self.seen.append((fault, endpoint, request.body.decode("latin-1")))
        if fault_reply := faults.REPLIES.get((fault, endpoint)):
            return fault_reply(self.issuer(fault))
        query = dict(urllib.parse.parse_qsl(request.target.partition("?")[2]))
        return self._honest(fault, endpoint, query, request.body)

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
                target = query["redirect_uri"] + "?" + urllib.parse.urlencode(answer)
                return faults.reply(302, "", extra=f"Location: {target}\r\n")
            case "token":
                return faults.reply(200, faults.GOOD_TOKEN)
            case _:
                return faults.reply(404, {"error": "not_found"})
