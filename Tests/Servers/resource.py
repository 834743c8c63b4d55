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

    def handle_one_request(self):
        self.raw_requestline = self.rfile.readline(65537)
        if self.raw_requestline and self.parse_request():
            try:
                self._route()
            except (BrokenPipeError, ConnectionResetError):
                pass
        self.close_connection = True

    def _route(self):
        path = urllib.parse.urlsplit(self.path).path
        first, *rest = path.strip("/").split("/")
        match first:
            case "_check":
                self._check()
            case "echo" | "api":
                self._answer(200, json.dumps(self._echo(path)).encode() + b"\n", "application/json")
            case "status":
                self._answer(int(rest[0]), f"status {rest[0]}\n".encode())
            case "bytes":
                self._answer(200, pattern(int(rest[0])), "application/octet-stream")
            case "slow":
                self._drip(float(rest[0]) if rest else 30)
            case "silent":
                time.sleep(float(rest[0]))
            case "redirect":
                self._redirect(*rest)
            case _:
                self._answer(404, b"no such resource\n")

    def _check(self):
        status, challenge, refusal = self.server.owner.check(
            self.headers["Authorization"], self.headers["X-Stand-Path"])
        fields = {"X-Refusal": refusal} if refusal else {}
        if challenge:
            fields["WWW-Authenticate"] = challenge
        self._answer(status, b"", fields=fields)

    def _echo(self, path) -> dict:
        fields = {}
        for name, value in self.headers.items():
            fields.setdefault(name.lower(), []).append(value)
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        return {"method": self.command, "path": path, "fields": fields,
                "query": urllib.parse.urlsplit(self.path).query, "body": body.decode("latin-1"),
                "port": int(self.headers["X-Stand-Port"])}

    def _redirect(self, where, count="0"):
        code = 307 if self.command == "POST" else 302
        here = self.server.owner.addresses
        if where == "many":
            target = f"/redirect/many/{int(count) - 1}" if int(count) > 0 else "/echo"
        else:
            target = {"loop": "/redirect/loop", "same": "/echo"}.get(where) or here[where]
        self._answer(code, b"", fields={"Location": target})

    def _drip(self, seconds):
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.wfile.write(b".")
            self.wfile.flush()
            time.sleep(0.1)

    def _answer(self, status, body, kind="text/plain", fields=None):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        for name, value in (fields or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def pattern(size: int) -> bytes:
    """Bytes of every value, so that no text handling on the way goes unnoticed."""
    block = bytes(range(256))
    return (block * (size // 256 + 1))[:size]
