"""A client application of the sandbox: registers, logs in, asks for tokens."""

import base64
import hashlib
import json
import secrets
import subprocess
import tempfile
import time
import urllib.parse

from browser import HTTP, Browser

ALL_GRANTS = [
    "authorization_code", "refresh_token", "client_credentials",
    "urn:ietf:params:oauth:grant-type:device_code",
    "urn:ietf:params:oauth:grant-type:token-exchange",
]
REDIRECT = "http://127.0.0.1:7777/callback"


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def claims(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def header(token):
    part = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def basic(name, secret):
    pair = f"{urllib.parse.quote(name, safe='')}:{urllib.parse.quote(secret, safe='')}"
    return "Basic " + base64.b64encode(pair.encode()).decode()


class Key:
    """A P-256 key made and used by the openssl program."""

    def __init__(self):
        self.file = tempfile.NamedTemporaryFile(suffix=".pem")
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-out", self.file.name], check=True, capture_output=True)
        der = subprocess.run(
            ["openssl", "pkey", "-in", self.file.name, "-pubout", "-outform", "DER"],
            check=True, capture_output=True).stdout
        self.jwk = {
            "kty": "EC", "crv": "P-256", "x": b64url(der[-64:-32]), "y": b64url(der[-32:])}

    @property
    def thumbprint(self):
        text = json.dumps(self.jwk, sort_keys=True, separators=(",", ":"))
        return b64url(hashlib.sha256(text.encode()).digest())

    def sign(self, head, payload):
        message = b64url(json.dumps(head).encode()) + "." + b64url(json.dumps(payload).encode())
        der = subprocess.run(
            ["openssl", "dgst", "-sha256", "-sign", self.file.name], input=message.encode(),
            check=True, capture_output=True).stdout
        r_length = der[3]
        r = der[4:4 + r_length]
        s = der[6 + r_length:]
        raw = b"".join(number.lstrip(b"\0").rjust(32, b"\0") for number in (r, s))
        return f"{message}.{b64url(raw)}"

    def proof(self, method, address, nonce=None, token=None, **more):
        payload = {
            "htm": method, "htu": address, "iat": int(time.time()), "jti": secrets.token_hex(8),
            **more}
        if nonce:
            payload["nonce"] = nonce
        if token:
            payload["ath"] = b64url(hashlib.sha256(token.encode()).digest())
        return self.sign({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.jwk}, payload)


class Client:
    def __init__(self, sandbox, http=None, **metadata):
        self.sandbox, self.http = sandbox, http or HTTP(sandbox)
        wanted = {
            "client_name": "Contract test", "redirect_uris": [REDIRECT],
            "grant_types": ALL_GRANTS, **metadata}
        answer = HTTP(sandbox).post("/register", document=wanted)
        assert answer.status == 201, answer.text
        self.registration = answer.json
        self.id, self.secret = answer.json["client_id"], answer.json.get("client_secret")

    # Logging in

    def authorization(self, **more):
        """The address of a login, and what must be remembered about it."""
        self.verifier = secrets.token_urlsafe(48)
        self.state, self.nonce = secrets.token_hex(8), secrets.token_hex(8)
        challenge = b64url(hashlib.sha256(self.verifier.encode()).digest())
        query = {
            "response_type": "code", "client_id": self.id, "redirect_uri": REDIRECT,
            "state": self.state, "nonce": self.nonce, "code_challenge": challenge,
            "code_challenge_method": "S256", "scope": "openid profile email read write", **more}
        return "/authorize?" + urllib.parse.urlencode(
            {key: value for key, value in query.items() if value is not None})

    def browse(self, **more):
        return Browser(self.sandbox).open(self.authorization(**more))

    def code(self, **more):
        return self.browse(**more).sign_in().allow().outcome["code"]

    def login(self, **more):
        """Tokens by the code flow, through the pages, as alice."""
        answer = self.redeem(self.code(**more))
        assert answer.status == 200, answer.text
        return answer.json

    # Tokens

    def token(self, grant, fields=None, target="/token", **form):
        fields = dict(fields or {})
        form = {"grant_type": grant, **form}
        if self.secret and "client_assertion" not in form:
            fields.setdefault("Authorization", basic(self.id, self.secret))
        elif "client_assertion" not in form:
            form["client_id"] = self.id
        return self.http.post(target, form=form, fields=fields)

    def redeem(self, code, **more):
        form = {
            "code": code, "redirect_uri": REDIRECT, "code_verifier": self.verifier, **more}
        return self.token("authorization_code", **form)

    def refresh(self, token, **more):
        return self.token("refresh_token", refresh_token=token, **more)

    def resource(self, path, token=None, method="GET", **more):
        fields = more.pop("fields", {})
        if token:
            fields["Authorization"] = f"Bearer {token}"
        return self.http.send(method, "/resources" + path, fields=fields, **more)
