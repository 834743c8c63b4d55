"""Providers with the hosts of known ones, and with the quirks of their responses."""

import base64
import json
import subprocess
import time
import urllib.parse

from .scripted import Scripted, http


class Layout:
    """A provider on several hosts below .localhost, each with a key of its own, and a resource server.

    `faults[path]` replaces the response of a path. `polls` are the errors of the token endpoint before a device
    gets its tokens. `asked` and `granted` are the parameters of the authorization requests, and of the token
    requests that succeeded. `seen(role)` lists the paths that a host was asked for.
    """

    #: The hosts by role: "issuer" and "api" are always there.
    hosts: dict
    #: Where each endpoint is: a role and a path.
    endpoints: dict
    tenant = ""
    page = None

    def __init__(self, authority):
        self.authority, self.servers = authority, {}
        self.faults, self.polls, self.revoked, self.nonce = {}, [], [], None
        self.asked, self.granted = [], []
        for role, name in self.hosts.items():
            leaf = name.replace(".", "-")
            if not authority.certificate(leaf).exists():
                authority.leaf(leaf, f"DNS:{name}")
            self.servers[role] = Scripted(authority, leaf)
            self.servers[role].reply = lambda request, role=role: self._reply(role, request)
        self.key = authority.path("layout.key")
        if not self.key.exists():
            _run("openssl", "genrsa", "-out", self.key, "2048")
        self.issuer = self.url("issuer", self.tenant)

    def start(self):
        for server in self.servers.values():
            server.start()
        return self

    def stop(self):
        for server in self.servers.values():
            server.stop()

    def url(self, role, path="") -> str:
        return self.servers[role].url(path, self.hosts[role])

    def place(self, role) -> str:
        return f"{self.hosts[role]}:{self.servers[role].port}"

    def seen(self, role) -> list:
        return self.servers[role].paths()

    def metadata(self) -> dict:
        return {"issuer": self.issuer, "scopes_supported": ["openid", "email"],
                "id_token_signing_alg_values_supported": ["RS256"], "subject_types_supported": ["public"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "none"],
                **{name: self.url(*place) for name, place in self.endpoints.items()}}

    def _reply(self, role, request):
        self.servers[role].seen.append(request)
        path, _, query = request.target.partition("?")
        fault = self.faults.get(path)
        if fault:
            return fault.pop(0) if isinstance(fault, list) else fault
        if path == self.tenant.rstrip("/") + "/.well-known/openid-configuration":
            return _json(self.metadata())
        for name, place in self.endpoints.items():
            if place == (role, path):
                return getattr(self, name)(dict(urllib.parse.parse_qsl(query or request.body.decode())))
        return http(200, b"hello\n") if role == "api" else http(404, b"nothing is here")

    # The endpoints, by their names in the metadata

    def authorization_endpoint(self, asked):
        self.nonce = asked.get("nonce")
        self.asked.append(asked)
        back = urllib.parse.urlencode({"code": "c1", "state": asked["state"]})
        return http(302, Location=f"{asked['redirect_uri']}?{back}")

    def device_authorization_endpoint(self, _):
        self.nonce = None
        return _json({"device_code": "d1", "user_code": "ABCD", "interval": 1, "expires_in": 60,
                      self.page[0]: self.page[1]})

    def token_endpoint(self, asked):
        if asked["grant_type"].endswith("device_code") and self.polls:
            reply = self.polls.pop(0)
            return reply if isinstance(reply, bytes) else _json({"error": reply}, 400)
        self.granted.append(asked)
        return _json(self.tokens())

    def tokens(self) -> dict:
        """The members of a successful response."""
        claims = self.claims()
        if self.nonce:
            claims["nonce"] = self.nonce
        return {"access_token": "a1", "token_type": "Bearer", "expires_in": 300, "refresh_token": "r1",
                "scope": "openid email", "id_token": self._signed(claims)}

    def claims(self) -> dict:
        """The claims of an ID token, without the nonce."""
        now = int(time.time())
        return {"iss": self.issuer, "sub": "alice", "aud": "app", "iat": now, "exp": now + 300}

    def jwks_uri(self, _):
        modulus = _run("openssl", "rsa", "-in", self.key, "-noout", "-modulus").split(b"=")[1].strip()
        return _json({"keys": [{"kty": "RSA", "kid": "k1", "use": "sig", "alg": "RS256", "e": "AQAB",
                                "n": _base64url(bytes.fromhex(modulus.decode()))}]})

    def userinfo_endpoint(self, _):
        return _json({"sub": "alice"})

    def revocation_endpoint(self, asked):
        """A token that is not known is an error, as at Google."""
        if asked["token"] in self.revoked:
            return _json({"error": "invalid_token", "error_description": "Token expired or revoked"}, 400)
        self.revoked.append(asked["token"])
        return _json({})

    def _signed(self, claims) -> str:
        parts = [_base64url(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "k1"}, claims)]
        text = ".".join(parts)
        return text + "." + _base64url(_run("openssl", "dgst", "-sha256", "-sign", self.key, stdin=text.encode()))


class GoogleLayout(Layout):
    """Five hosts; the page of a device is on a sixth, which only a person opens, and has an old name."""

    hosts = {"issuer": "accounts.localhost", "token": "oauth2.localhost", "keys": "www.localhost",
             "userinfo": "openidconnect.localhost", "api": "gmail.localhost"}
    endpoints = {"authorization_endpoint": ("issuer", "/o/oauth2/v2/auth"),
                 "token_endpoint": ("token", "/token"), "revocation_endpoint": ("token", "/revoke"),
                 "device_authorization_endpoint": ("token", "/device/code"),
                 "jwks_uri": ("keys", "/oauth2/v3/certs"), "userinfo_endpoint": ("userinfo", "/v1/userinfo")}
    page = ("verification_url", "https://www.google.test/device")


class CognitoLayout(Layout):
    """Three hosts: the issuer has the keys only, and a domain of the user pool the endpoints."""

    hosts = {"issuer": "cognito-idp.localhost", "domain": "pool.localhost", "api": "api.localhost"}
    tenant = "/eu-west-1_pool"
    endpoints = {"authorization_endpoint": ("domain", "/oauth2/authorize"),
                 "token_endpoint": ("domain", "/oauth2/token"), "revocation_endpoint": ("domain", "/oauth2/revoke"),
                 "jwks_uri": ("issuer", "/eu-west-1_pool/.well-known/jwks.json"),
                 "userinfo_endpoint": ("domain", "/oauth2/userInfo")}


class EntraLayout(Layout):
    """Two hosts, and a tenant in the issuer; no revocation, and own names of errors."""

    hosts = {"issuer": "login.localhost", "api": "graph.localhost"}
    tenant = "/11111111-2222-3333-4444-555555555555/v2.0"
    endpoints = {"authorization_endpoint": ("issuer", "/tenant/oauth2/v2.0/authorize"),
                 "token_endpoint": ("issuer", "/tenant/oauth2/v2.0/token"),
                 "device_authorization_endpoint": ("issuer", "/tenant/oauth2/v2.0/devicecode"),
                 "jwks_uri": ("issuer", "/tenant/discovery/v2.0/keys"),
                 "userinfo_endpoint": ("api", "/oidc/userinfo")}
    page = ("verification_uri", "https://microsoft.test/devicelogin")


class EntraCommonLayout(EntraLayout):
    """The address for all tenants: the metadata have a form of the issuer, and a token its tenant."""

    home = "11111111-2222-3333-4444-555555555555"
    tenant = "/common/v2.0"

    def metadata(self):
        return super().metadata() | {"issuer": self.url("issuer", "/{tenantid}/v2.0")}

    def claims(self):
        return super().claims() | {"iss": self.url("issuer", f"/{self.home}/v2.0"), "tid": self.home}


class KeycloakLayout(Layout):
    """One host with a realm in the issuer, and members that nobody else sends."""

    hosts = {"issuer": "keycloak.localhost", "api": "api.localhost"}
    tenant = "/realms/work"
    endpoints = {name: ("issuer", f"/realms/work/protocol/openid-connect/{path}") for name, path in {
        "authorization_endpoint": "auth", "token_endpoint": "token", "jwks_uri": "certs",
        "userinfo_endpoint": "userinfo", "revocation_endpoint": "revoke",
        "device_authorization_endpoint": "auth/device"}.items()}

    @property
    def page(self):
        return "verification_uri", self.url("issuer", "/realms/work/device")

    def tokens(self):
        return super().tokens() | {"refresh_expires_in": 0, "not-before-policy": 0, "session_state": "s",
                                   "scope": "openid email profile offline_access"}


class OktaLayout(Layout):
    """An authorization server of its own below the organisation; lifetimes are text."""

    hosts = {"issuer": "organisation.localhost", "api": "api.localhost"}
    tenant = "/oauth2/default"
    endpoints = {name: ("issuer", f"/oauth2/default/v1/{path}") for name, path in {
        "authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys",
        "userinfo_endpoint": "userinfo", "revocation_endpoint": "revoke",
        "device_authorization_endpoint": "device/authorize"}.items()}

    @property
    def page(self):
        return "verification_uri", self.url("issuer", "/activate")

    def tokens(self):
        return super().tokens() | {"expires_in": "300", "scope": "email openid"}


class Auth0Layout(Layout):
    """An issuer that ends with a slash; the type of a token in lower case, and no scope if it is as requested."""

    hosts = {"issuer": "tenant.localhost", "api": "api.localhost"}
    tenant = "/"
    endpoints = {"authorization_endpoint": ("issuer", "/authorize"), "token_endpoint": ("issuer", "/oauth/token"),
                 "jwks_uri": ("issuer", "/.well-known/jwks.json"), "userinfo_endpoint": ("issuer", "/userinfo"),
                 "revocation_endpoint": ("issuer", "/oauth/revoke"),
                 "device_authorization_endpoint": ("issuer", "/oauth/device/code")}

    @property
    def page(self):
        return "verification_uri", self.url("issuer", "/activate")

    def tokens(self):
        tokens = super().tokens() | {"token_type": "bearer"}
        del tokens["scope"]
        return tokens


class GitHubLayout(Layout):
    """No metadata, no ID tokens, no ends of tokens; errors come with 200, and scopes with commas."""

    hosts = {"issuer": "github.localhost", "api": "api.localhost"}
    endpoints = {"authorization_endpoint": ("issuer", "/login/oauth/authorize"),
                 "token_endpoint": ("issuer", "/login/oauth/access_token"),
                 "device_authorization_endpoint": ("issuer", "/login/device/code")}
    page = ("verification_uri", "https://github.test/login/device")

    def _reply(self, role, request):
        if request.path.startswith("/.well-known/"):
            self.servers[role].seen.append(request)
            return http(404, b"nothing is here")
        return super()._reply(role, request)

    def token_endpoint(self, asked):
        reply = super().token_endpoint(asked)
        return reply.replace(b"HTTP/1.1 400", b"HTTP/1.1 200", 1)

    def tokens(self):
        return {"access_token": "gho_1", "token_type": "bearer", "scope": "read:user,user:email"}


def _json(document, status=200) -> bytes:
    return http(status, json.dumps(document).encode(), Content_Type="application/json")


def _base64url(data) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _run(*words, stdin=b"") -> bytes:
    return subprocess.run([*map(str, words)], input=stdin, check=True, capture_output=True).stdout
