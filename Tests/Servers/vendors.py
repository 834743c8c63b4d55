"""Servers that speak as two vendors' do, quirks and all, over HTTPS on loopback.

Written from what is public of their wires (docs/vendors.md). `seen` lists every request as
(method, target, fields, body), as it came.
"""

import base64
import json
import urllib.parse

from .http_server import Handler, HTTPServer


class Vendor(HTTPServer):
    """What both have in common: a listener with the authority's good certificate, and a memory."""

    def __init__(self, authority):
        super().__init__(_Handler, authority.files("good"))
        self.seen, self.origin = [], self.url

    def to(self, target: str) -> list:
        """The requests to a target, query included."""
        return [request for request in self.seen if request[1] == target]

    def answer(self, method, target, fields, body):
        """Status, document and further fields of the answer."""
        raise NotImplementedError


class Sequencing(Vendor):
    """Sequencing.com: no metadata, no PKCE, Basic as it stands, refresh at an address of its own."""

    AUTHORIZE, TOKEN = "/oauth2/authorize", "/oauth2/token"
    REFRESH = "/oauth2/token?q=oauth2/token"
    ACCOUNT = "/indexApi.php?q=sequencing/public/webservice/user/seq_register.json"
    RESET = "/indexApi.php?q=sequencing/public/webservice/user/seq_new_pass.json"
    CLIENT, SECRET = "My App (test)", "s3cr+t/&=x"
    BASIC = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()

    def __init__(self, authority):
        super().__init__(authority)
        self.lifetime, self.refusal = 3600, None
        self.accounts = {"taken@example.com"}
        self.count = 0

    def answer(self, method, target, fields, body):
        path = target.partition("?")[0]
        if method == "GET" and path == self.AUTHORIZE:
            return self._authorize(dict(urllib.parse.parse_qsl(target.partition("?")[2])))
        if method == "POST" and target in (self.TOKEN, self.REFRESH):
            return self._token(target, fields, dict(urllib.parse.parse_qsl(body)))
        if method == "POST" and target in (self.ACCOUNT, self.RESET):
            return self._person(target, json.loads(body))
        if method == "GET" and path == "/DataSourceList":
            return 200, [{"Id": "f-1", "Name": "mother.vcf"}, {"Id": "f-2", "Name": "father.vcf"}], {}
        if method == "GET" and path == "/DataSource/f-2":
            return 200, {"file": "father.vcf"}, {}
        return 404, {"error": "no such page"}, {}

    def _authorize(self, query):
        answer = self.refusal or {"code": "c0de"}
        target = query["redirect_uri"] + "?" + urllib.parse.urlencode(
            answer | {"state": query["state"]})
        return 302, {}, {"Location": target}

    def _token(self, target, fields, form):
        grant = "refresh_token" if target == self.REFRESH else "authorization_code"
        proof = "r-1" if target == self.REFRESH else "c0de"
        right = fields.get("authorization") == self.BASIC and form.get("grant_type") == grant
        if not right or proof not in form.values():
            return 200, {"error": "invalid_grant", "error_description": "not this one"}, {}
        self.count += 1
        answer = {"access_token": f"at-{self.count}", "expires_in": str(self.lifetime),
                  "token_type": "Bearer", "scope": form.get("scope", "demo")}
        # Only the first answer brings a refresh token.
        return 200, answer | ({"refresh_token": "r-1"} if grant != "refresh_token" else {}), {}

    def _person(self, target, document):
        if document.get("client_id") != self.SECRET:
            return 200, {"status": 1, "errorCode": 1, "errorMessage": "unknown application"}, {}
        known = document["email"] in self.accounts
        if target == self.ACCOUNT and known:
            return 200, {"status": 1, "errorCode": 2, "errorMessage": {
                "email": f"{document['email']} has an account at {self.SECRET}"}}, {}
        if target == self.RESET and not known:
            return 200, {"status": 1, "errorCode": 3, "errorMessage": "no such account"}, {}
        self.accounts.add(document["email"])
        return 200, {"status": 0}, {}


class Onegini(Vendor):
    """A token server that numbers its errors."""

    def __init__(self, authority):
        super().__init__(authority)
        self.error, self.stale = None, set()
        self.count = 0

    def answer(self, method, target, fields, body):
        if target.endswith("/.well-known/openid-configuration"):
            return 200, {"issuer": self.origin, "token_endpoint": self.origin + "/token",
                         "authorization_endpoint": self.origin + "/authorize",
                         "revocation_endpoint": self.origin + "/revoke"}, {}
        if target == "/token":
            if self.error:
                return self.error[0], self.error[1], {}
            self.count += 1
            return 200, {"access_token": f"at-{self.count}", "token_type": "bearer",
                         "expires_in": 900, "refresh_token": f"rt-{self.count}"}, {}
        if target == "/revoke":
            return 503, {}, {}
        if target == "/resources/devices":
            token = fields.get("authorization", "").removeprefix("Bearer ")
            return (419, {}, {}) if token in self.stale else (200, {"token": token}, {})
        return 404, {}, {}


class _Handler(Handler):
    def serve(self):
        fields = {name.lower(): value for name, value in self.headers.items()}
        request = (self.command, self.path, fields, self.body().decode())
        self.server.seen.append(request)
        status, document, more = self.server.answer(*request)
        self.respond(status, json.dumps(document).encode(), "application/json", **more)
