"""The service behind the gateway: echo, sizes, statuses, redirects, and the check of bearer tokens."""

import json
import time
import urllib.parse

from .http_server import Handler, HTTPServer

REALM = 'Bearer realm="sdkctl tests"'


class Resource(HTTPServer):
    """Serves plain HTTP on loopback, for nginx only.

    `introspect` is asked for every token; `addresses` names where the redirects lead and may be
    filled in after the start.
    """

    def __init__(self, introspect):
        super().__init__(_Handler)
        self.introspect, self.addresses = introspect, {}

    def check(self, authorization, path):
        """The verdict on a request: status, challenge, and the body of a refusal."""
        if not (authorization or "").startswith("Bearer "):
            return 401, REALM, ""
        try:
            answer = self.introspect(authorization.removeprefix("Bearer "))
        except Exception as trouble:  # any failure of the provider counts as an unknown token
            answer = {"active": False, "trouble": str(trouble)}
        if not answer.get("active"):
            text = "the token is not active"
            return (401, f'Bearer error="invalid_token", error_description="{text}"',
                    json.dumps({"error": "invalid_token", "error_description": text}))
        if path.startswith("/api/notes") and "notes" not in answer.get("scope", "").split():
            return 403, None, json.dumps({"error": "insufficient_scope"})
        return 204, None, ""


class _Handler(Handler):
    protocol_version = "HTTP/1.0"

    def serve(self):
        body = self.body()  # of every request: what is not read resets the connection
        path = urllib.parse.urlsplit(self.path).path
        first, *rest = path.strip("/").split("/")
        match first:
            case "_check":
                self._check()
            case "echo" | "api":
                echo = json.dumps(self._echo(path, body)) + "\n"
                self.respond(200, echo.encode(), "application/json")
            case "status":
                self.respond(int(rest[0]), f"status {rest[0]}\n".encode())
            case "bytes":
                self.respond(200, pattern(int(rest[0])), "application/octet-stream")
            case "slow":
                self._drip(float(rest[0]) if rest else 30)
            case "silent":
                time.sleep(float(rest[0]))
            case "redirect":
                self._redirect(*rest)
            case _:
                self.respond(404, b"no such resource\n")

    def _check(self):
        status, challenge, refusal = self.server.check(
            self.headers["Authorization"], self.headers["X-Stand-Path"])
        fields = {"X_Refusal": refusal, "WWW_Authenticate": challenge}
        self.respond(status, **{name: value for name, value in fields.items() if value})

    def _echo(self, path, body) -> dict:
        fields = {}
        for name, value in self.headers.items():
            fields.setdefault(name.lower(), []).append(value)
        return {"method": self.command, "path": path, "fields": fields,
                "query": urllib.parse.urlsplit(self.path).query, "body": body.decode("latin-1"),
                "port": int(self.headers["X-Stand-Port"])}

    def _redirect(self, where, count="0"):
        code = 307 if self.command == "POST" else 302
        here = self.server.addresses
        if where == "many":
            target = f"/redirect/many/{int(count) - 1}" if int(count) > 0 else "/echo"
        else:
            target = "/echo" if where == "same" else here[where]
        self.respond(code, Location=target)

    def _drip(self, seconds):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.wfile.write(b".")
            self.wfile.flush()
            time.sleep(0.1)


def pattern(size: int) -> bytes:
    """Bytes of every value, so that no text handling on the way goes unnoticed."""
    block = bytes(range(256))
    return (block * (size // 256 + 1))[:size]
