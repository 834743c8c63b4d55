"""Glewlwyd: the OpenID provider that Debian packages, set up anew for one run."""

import json
import sqlite3
from pathlib import Path

from .authority import run
from .client import Client
from .process import Server, wait_until
from .provider import Provider
from .templates import HERE, filled

SCHEMA = Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
PASSWORD = "correct horse"
GATEWAY = ("gateway", "gateway-secret")


class Glewlwyd(Provider):
    """Two issuers on one server: `issuer` registers anybody; `guarded` wants an initial access token."""

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin + "/api/oidc"
        self.guarded = self.origin + "/api/guarded"
        self.servers = [Server(["glewlwyd", "-c", directory / "glewlwyd.conf"], self.port,
                               directory / "glewlwyd.out")]

    def start(self):
        self._write_configuration()
        self._write_database()
        self.servers[0].start()
        self._furnish()
        return self

    def metadata(self, issuer=None) -> dict:
        return self.client().get((issuer or self.issuer) + "/.well-known/openid-configuration").json()

    def service_token(self, scope: str, issuer=None) -> str:
        """An access token of the gateway's own, by client credentials."""
        answer = self.client().post((issuer or self.issuer) + "/token", basic=GATEWAY,
                                    form={"grant_type": "client_credentials", "scope": scope})
        return answer.json()["access_token"]

    def introspect(self, token: str, hint="access_token") -> dict:
        """What the provider itself says of a token (RFC 7662)."""
        bearer = {"Authorization": "Bearer " + self.service_token("introspect")}
        return self.client().post(self.issuer + "/introspect", fields=bearer,
                                  form={"token": token, "token_type_hint": hint}).json()

    def administrator(self) -> Client:
        """Who may add what registration cannot: see `add_client` and `add_issuer`."""
        admin = self.client()
        signed_in = lambda: admin.post(self.origin + "/api/auth/", json_body={
            "username": "admin", "password": "password"}).status == 200
        wait_until(signed_in, "the administrator's sign-in")
        return admin

    def add_client(self, admin: Client, identifier: str, method: str, **members):
        self._add(admin, "client/", {
            "client_id": identifier, "name": identifier, "enabled": True, "confidential": True,
            "scope": ["introspect", "openid", "notes"], "token_endpoint_auth_method": [method],
            "authorization_type": ["code", "refresh_token", "client_credentials"], **members})

    def add_issuer(self, admin: Client, name: str, **changes) -> str:
        """One more issuer on this server; answers its address."""
        self._add(admin, "mod/plugin/", self._plugin(name, **changes))
        return f"{self.origin}/api/{name}"

    def _write_configuration(self):
        values = {"PORT": self.port, "DIR": self.directory, "KEY": self.authority.key("good"),
                  "CHAIN": self.authority.chain("good"), "ROOT": self.authority.root}
        (self.directory / "glewlwyd.conf").write_text(filled("glewlwyd.conf", values))

    def _write_database(self):
        path = self.directory / "glewlwyd.sqlite"
        with sqlite3.connect(path) as database:
            database.executescript(SCHEMA.read_text())
        database.close()

    def furnish_client(self, client_id: str, **properties) -> dict:
        """Gives a client properties as its administrator; answers the client as it was."""
        admin = self.administrator()
        url = f"{self.origin}/api/client/{client_id}"
        before = admin.get(url).json()
        answer = admin.put(url, json_body=before | properties)
        if answer.status != 200:
            raise RuntimeError(f"glewlwyd refused the client: {answer.status} {answer.body!r}")
        return before

    def _furnish(self):
        """As the administrator: scopes, the two issuers, a person, and the gateway's own client."""
        admin = self.administrator()
        for scope in ("introspect", "register", "notes"):
            self._add(admin, "scope/", {"name": scope, "display_name": scope,
                                        "password_required": False, "scheme": {}})
        self._add(admin, "user/", {
            "username": "alice", "name": "Alice", "email": "alice@example.com", "enabled": True,
            "password": PASSWORD, "scope": ["openid", "notes", "g_profile"]})
        self._add(admin, "client/", {
            "client_id": GATEWAY[0], "name": "Gateway", "password": GATEWAY[1], "enabled": True,
            "confidential": True, "scope": ["introspect", "register"],
            "token_endpoint_auth_method": ["client_secret_basic"],
            "authorization_type": ["client_credentials"]})
        self._add(admin, "mod/plugin/", self._plugin("oidc"))
        self._add(admin, "mod/plugin/", self._plugin("guarded", **{
            "register-client-auth-scope": ["register"], "allowed-scope": ["openid"],
            "oauth-dpop-nonce-mandatory": True, "oauth-dpop-nonce-counter": 10}))

    def _plugin(self, name: str, **changes) -> dict:
        plugin = json.loads((HERE / "glewlwyd-oidc-plugin.json").read_text())
        key = run("openssl", "genrsa", "2048")
        plugin["name"] = plugin["display_name"] = name
        plugin["parameters"].update(
            iss=f"{self.origin}/api/{name}", key=key.decode(),
            cert=run("openssl", "rsa", "-pubout", stdin=key).decode(),
            **{"introspection-revocation-auth-scope": ["introspect"]})
        plugin["parameters"].update(changes)
        return plugin

    def _add(self, admin: Client, what: str, document: dict):
        answer = admin.post(f"{self.origin}/api/{what}", json_body=document)
        if answer.status != 200:
            raise RuntimeError(f"glewlwyd refused {what}: {answer.status} {answer.body!r}")
