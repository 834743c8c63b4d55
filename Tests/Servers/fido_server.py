"""A FIDO UAF server of python-cryptography, which shares no code with the program or the sandbox.

A login by form gives a cookie, with which a key can be registered; an authentication gives another
cookie or a JWT, which opens `/notes`. The paths are the defaults of the vendor's SDK.
"""

import hashlib
import json
import secrets
import ssl
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from . import fido_uaf as uaf
from .fido_targets import Refused, Targets
from .http_server import Handler, HTTPServer

MEDIA, JSON_MEDIA = "application/fido+uaf", "application/json"
OPERATIONS = {"registration": "Reg", "authentication": "Auth", "deregistration": "Dereg"}
USER, PASSWORD = "alice", "wonderland"


class FIDOServer(HTTPServer):
    """`keys` has the registrations by key identifier, `seen` the path of each request.

    `parameters` lists the challenge parameters of the responses, as JSON. `change` changes the
    message of a request before it is sent. `result` is `cookie` or `jwt`. `transaction` must be
    confirmed by an authentication. `statuses` are the next verdicts, whatever is sent. `facets` are
    those that are trusted, and `targets` the dispatch targets.
    """

    def __init__(self, authority):
        super().__init__(_Handler, authority.files("good"))
        self.keys, self.seen, self.parameters, self.sessions = {}, [], [], {}
        self.requests, self.statuses = {}, []
        self.change, self.result, self.transaction = None, "cookie", None
        self.aaid, self.version, self.facets = uaf.DEVELOPMENT_AAID, (1, 1), [self.url]
        self.refusals = []
        self.targets = Targets()
        pem = Path(authority.files("good")[0]).read_text()
        leaf = pem[:pem.index("-----END")] + "-----END CERTIFICATE-----\n"
        leaf = leaf[leaf.index("-----BEGIN"):]
        self.end_point = hashlib.sha256(ssl.PEM_cert_to_DER_cert(leaf)).digest()

    @property
    def application(self) -> str:
        return f"{self.url}/uaf/1.1/facets"

    def request(self, operation, members) -> dict:
        """A new request; its server data leads back to it."""
        major, minor = self.version
        data = secrets.token_urlsafe(24)
        message = {
            "header": {"upv": {"major": major, "minor": minor}, "op": operation,
                       "appID": self.application, "serverData": data}, **members}
        if operation != "Dereg":
            message["challenge"] = uaf.b64url(secrets.token_bytes(32))
            self.requests[data] = message
        if self.change:
            message = self.change(json.loads(json.dumps(message)))
        return {"statusCode": 1200, "op": operation, "lifetimeMillis": 60000,
                "uafRequest": json.dumps([message])}

    def registration(self, user) -> dict:
        return self.request("Reg", {
            "username": user, "policy": {"accepted": [[{"aaid": [self.aaid]}]]}})

    def authentication(self, user) -> dict:
        members = {"policy": {"accepted": [
            [{"aaid": [key.aaid], "keyIDs": [uaf.b64url(key_id)]}]
            for key_id, key in self.keys.items() if key.user == user]}}
        if not members["policy"]["accepted"]:
            return {"statusCode": 1404}
        if self.transaction is not None:
            members["transaction"] = [{
                "contentType": "text/plain", "content": uaf.b64url(self.transaction)}]
        return self.request("Auth", members)

    def deregistration(self, user) -> dict:
        gone = [key_id for key_id, key in self.keys.items() if key.user == user]
        keys = [self.keys.pop(key_id) for key_id in gone]
        return self.request("Dereg", {"authenticators": [
            {"aaid": key.aaid, "keyID": uaf.b64url(key.key_id)} for key in keys]})

    # Responses

    def register(self, text):
        request, parameters, assertion = self.opened(text, "Reg")
        key = uaf.verify_registration(assertion, parameters)
        if key.aaid != self.aaid:
            raise uaf.Bad(1492, f"the policy accepts {self.aaid}, not {key.aaid}")
        key.user = request["username"]
        self.keys[key.key_id] = key

    def authenticate(self, text) -> str:
        """The user whose key answered."""
        _, parameters, assertion = self.opened(text, "Auth")
        fields = dict(
            (tag, value) for tag, value, _ in uaf.elements(
                uaf.elements(uaf.elements(assertion)[0][1])[0][1]))
        key = self.keys.get(fields.get(uaf.KEY_ID))
        if key is None:
            raise uaf.Bad(1481, "the key is not known")
        uaf.verify_authentication(assertion, parameters, key, self.transaction)
        return key.user

    def opened(self, text, operation) -> tuple:
        """The request, the challenge parameters and the assertion of a response."""
        message, = json.loads(text)
        header = message["header"]
        request = self.requests.pop(header["serverData"], None)
        if request is None or request["header"]["op"] != operation:
            raise uaf.Bad(1491, "the server data is unknown, or was used")
        for name in ("upv", "op", "appID"):
            if header[name] != request["header"][name]:
                raise uaf.Bad(1498, f"the member {name} of the header is {header[name]}")
        parameters = json.loads(uaf.from_b64url(message["fcParams"]))
        self.parameters.append(parameters)
        expected = {"appID": self.application, "challenge": request["challenge"]}
        for name, value in expected.items():
            if parameters[name] != value:
                raise uaf.Bad(1498, f"the challenge parameter {name} is {parameters[name]}")
        if parameters["facetID"] not in self.facets or \
                not isinstance(parameters["channelBinding"], dict):
            raise uaf.Bad(1498, f"the challenge parameters are {parameters}")
        bound = parameters["channelBinding"].get("serverEndPoint")
        if bound is not None and uaf.from_b64url(bound) != self.end_point:
            raise uaf.Bad(1490, "the certificate is another one")
        assertion, = message["assertions"]
        if assertion["assertionScheme"] != "UAFV1TLV":
            raise uaf.Bad(1498, "the assertion is of another scheme")
        return request, message["fcParams"], uaf.from_b64url(assertion["assertion"])

    def session(self, user, means) -> str:
        value = secrets.token_urlsafe(24)
        self.sessions[value] = (user, means)
        return value


class _Handler(Handler):
    def do_GET(self):
        self.server.seen.append(self.path)
        if self.path == "/uaf/1.1/facets":
            facets = {"trustedFacets": [
                {"version": {"major": 1, "minor": minor}, "ids": self.server.facets}
                for minor in (0, 1)]}
            return self.respond(
                200, json.dumps(facets).encode(), "application/fido.trusted-apps+json")
        if self.path == "/notes":
            user, means = self.caller()
            notes = f"notes of {user}".encode()
            return self.respond(200, notes) if means == "fido" else self.respond(401)
        if self.path == "/login":
            return self.respond(200, PAGE, "text/html; charset=utf-8")
        if urlsplit(self.path).path == "/token/dispatch/targets/":
            return self.dispatch(self.list_targets)
        self.respond(200 if self.path == "/welcome" else 404)

    def do_DELETE(self):
        self.server.seen.append(self.path)
        self.dispatch(self.delete_target)

    # Dispatch targets

    def dispatch(self, answer):
        """Runs a service of JSON, whose refusals are HTTP statuses."""
        if self.headers["Accept"] != JSON_MEDIA:
            return self.respond(406)
        try:
            self.respond(*answer())
        except Refused as refused:
            self.server.refusals.append(refused)
            self.respond(refused.status)

    def fido_user(self) -> str:
        user, means = self.caller()
        if means != "fido":
            raise Refused(401, "a login with a key is needed")
        return user

    def json_body(self) -> dict:
        if self.headers["Content-Type"] != f"{JSON_MEDIA};charset=UTF-8":
            raise Refused(415, "the media type is another one")
        return json.loads(self.body())

    def list_targets(self):
        user = self.fido_user()
        if parse_qs(urlsplit(self.path).query).get("username", [user]) != [user]:
            raise Refused(403, "the user is another one")
        return 200, json.dumps(
            {"dispatchTargets": self.server.targets.listed(user)}).encode(), JSON_MEDIA

    def create_target(self):
        made = self.server.targets.create(self.fido_user(), self.json_body())
        return 201, json.dumps(made).encode(), JSON_MEDIA

    def delete_target(self):
        user, identifier = self.fido_user(), self.path.split("/")[-1]
        if self.server.targets.get(identifier, {}).get("user") != user:
            raise Refused(404, "there is no such target")
        del self.server.targets[identifier]
        return (204,)

    def do_POST(self):
        self.server.seen.append(self.path)
        if self.path == "/token/dispatch/targets/":
            return self.dispatch(self.create_target)
        body = self.body().decode()
        if self.path == "/login":
            return self.log_in(body)
        if self.headers["Content-Type"] != f"{MEDIA};charset=UTF-8":
            return self.respond(415)
        if self.headers["Accept"] != MEDIA:
            return self.respond(406)
        document = json.loads(body)
        path = self.path.rstrip("/").removeprefix("/uaf/1.1/")
        if path.startswith("request/"):
            return self.send_request(path.removeprefix("request/"), document)
        self.take_response(path, document["uafResponse"])

    def log_in(self, body):
        if body != f"user={USER}&password={PASSWORD}":
            return self.respond(200, PAGE, "text/html; charset=utf-8")
        cookie = f"session={self.server.session(USER, 'password')}; Path=/; Secure; HttpOnly"
        self.respond(303, Set_Cookie=cookie, Location="/welcome")

    def send_request(self, name, document):
        user, means = self.caller()
        named = json.loads(document["context"])["username"]
        if document["op"] != OPERATIONS[name]:
            return self.respond(400)
        if name != "authentication" and (user != named or (means, name) == (
                "password", "deregistration")):
            return self.respond(401)
        self.answer(getattr(self.server, name)(named))

    def take_response(self, name, text):
        server, fields = self.server, {}
        verdict = {"statusCode": 1200}
        try:
            if server.statuses:
                raise uaf.Bad(server.statuses.pop(0), "a status was asked for")
            if name == "registration":
                server.register(text)
            else:
                user = server.authenticate(text)
                value = server.session(user, "fido")
                if server.result == "cookie":
                    fields["Set_Cookie"] = f"session={value}; Path=/; Secure; HttpOnly"
                else:
                    value = token(user)
                    server.sessions[value] = (user, "fido")
                    fields["Authorization"] = f"Bearer {value}"
        except uaf.Bad as bad:
            server.refusals.append(bad)
            verdict = {"statusCode": bad.status, "description": bad.reason}
        self.answer(verdict, **fields)

    def answer(self, document, **fields):
        self.respond(200, json.dumps(document).encode(), f"{MEDIA};charset=UTF-8", **fields)

    def caller(self) -> tuple:
        """The user of the cookie or the token, and how the session began."""
        value = self.headers.get("Authorization", "").removeprefix("Bearer ")
        for cookie in self.headers.get("Cookie", "").split("; "):
            name, _, content = cookie.partition("=")
            value = content if name == "session" else value
        return self.server.sessions.get(value, (None, None))


def token(user) -> str:
    """What looks like a JWT; only this server judges it."""
    parts = ({"alg": "ES256", "typ": "JWT"}, {"sub": user, "jti": secrets.token_hex(16)})
    return ".".join([*(uaf.b64url(json.dumps(part).encode()) for part in parts), "c2lnbmVk"])


PAGE = b"""<!doctype html><form method="post" action="/login">
<input name="user"><input name="password" type="password"><button>Log in</button></form>"""
