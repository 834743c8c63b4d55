"""A server that speaks as a vendor's does, quirks and all, over HTTPS on loopback.

Written from what is public of its wire (docs/vendors.md). `seen` lists every request as
(method, target, fields, body), as it came.
"""

import base64
import json
import urllib.parse

from .http_server import Handler, HTTPServer


class Sequencing(HTTPServer):
    """Sequencing.com: no metadata, no PKCE, Basic as it stands, refresh at an address of its own."""

    AUTHORIZE, TOKEN = "/oauth2/authorize", "/oauth2/token"
    REFRESH = "/oauth2/token?q=oauth2/token"
    CLIENT, SECRET = "My App (test)", "s3cr+t/&=x"
    BASIC = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()

    def __init__(self, authority):
        super().__init__(_Handler, authority.files("good"))
        self.seen, self.origin, self.count, self.refusal = [], self.url, 0, None

    def to(self, target: str) -> list:
        """The requests to a target, query included."""
        return [request for request in self.seen if request[1] == target]

    def answer(self, method, target, fields, body):
        path = target.partition("?")[0]
        if method == "GET" and path == self.AUTHORIZE:
            return self._authorize(dict(urllib.parse.parse_qsl(target.partition("?")[2])))
        if method == "POST" and target in (self.TOKEN, self.REFRESH):
            return self._token(target, fields, dict(urllib.parse.parse_qsl(body)))
        if method == "GET" and path == "/DataSourceList":
            return 200, [{"Id": "f-1", "Name": "mother.vcf"}, {"Id": "f-2", "Name": "father.vcf"}], {}
        if method == "GET" and path == "/DataSource/f-2":
            return 200, {"file": "father.vcf"}, {}
        return 404, {"error": "no such page"}, {}

    def _authorize(self, query):
        target = query["redirect_uri"] + "?" + urllib.parse.urlencode(
            (self.refusal or {"code": "c0de"}) | {"state": query["state"]})
        return 302, {}, {"Location": target}

    def _token(self, target, fields, form):
        grant = "refresh_token" if target == self.REFRESH else "authorization_code"
        proof = "r-1" if target == self.REFRESH else "c0de"
        right = fields.get("authorization") == self.BASIC and form.get("grant_type") == grant
        if not right or proof not in form.values():
            return 200, {"error": "invalid_grant", "error_description": "not this one"}, {}
        self.count += 1
        answer = {"access_token": f"at-{self.count}", "expires_in": "3600",
                  "token_type": "Bearer", "scope": form.get("scope", "demo")}
        # Only the first answer brings a refresh token.
        return 200, answer | ({"refresh_token": "r-1"} if grant != "refresh_token" else {}), {}


class _Handler(Handler):
    def serve(self):
        fields = {name.lower(): value for name, value in self.headers.items()}
        request = (self.command, self.path, fields, self.body().decode())
        self.server.seen.append(request)
        status, document, more = self.server.answer(*request)
        self.respond(status, json.dumps(document).encode(), "application/json", **more)
