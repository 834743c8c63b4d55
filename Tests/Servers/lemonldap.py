"""LemonLDAP::NG: an OpenID provider in Perl that Debian packages, set up anew for one run."""

import grp
import json
import os
import pwd
from pathlib import Path

from .authority import run
from .nginx import Nginx
from .process import Server, free_port, wait_until
from .provider import Provider
from .templates import HERE, filled

HOST = "auth.llng.localhost"  # its cookies want a domain of more than one label
PROGRAM = Path("/usr/sbin/llng-fastcgi-server")
USER = "www-data"  # it refuses to run as root
GATEWAY = ("gateway", "gateway-secret")
GIVEN = ("given/client", "given/secret")  # it makes such ids and secrets itself


class LemonLDAP(Provider):
    """Registers anybody. People: dwho, password dwho; rtyler, password rtyler."""

    host = HOST
    person = {"STAND_USER": "dwho", "STAND_PASSWORD": "dwho"}

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin
        authority.leaf("lemonldap", f"DNS:{HOST}")
        self.given_port = str(free_port())  # of the redirect URI of the given client
        for name in ("conf", "cache", "sessions/lock", "psessions/lock", "run"):
            (directory / name).mkdir(parents=True, exist_ok=True)
        environment = os.environ | {
            "LLNG_DEFAULTCONFFILE": str(directory / "lemonldap-ng.ini"),
            "LLNG_DEFAULTLOGGER": "Lemonldap::NG::Common::Logger::Std"}
        self.socket = directory / "run/llng.sock"
        program = Server(
            [PROGRAM, "--foreground", *(["-u", USER, "-g", USER] if os.geteuid() == 0 else []),
             "-s", self.socket, "-p", directory / "run/llng.pid", "-n", "1"],
            None, self.log_path, environment, ready=self.socket.exists)
        front = Nginx(directory).configure(
            "lemonldap-nginx.conf", '"$request" $status', PORT=self.port, HOST=HOST,
            CHAIN=authority.chain("lemonldap"), KEY=authority.key("lemonldap"))
        self.servers = [program, front]

    def start(self):
        if not PROGRAM.exists():
            raise FileNotFoundError(f"{PROGRAM} is missing: Tests/install-packages test")
        self._write_configuration()
        for server in self.servers:
            server.start()
        wait_until(lambda: self._metadata().status == 200, "the metadata of LemonLDAP::NG", seconds=60)
        return self

    def introspect(self, token: str) -> dict:
        """What the provider itself says of a token to the gateway (RFC 7662)."""
        return self.client().post(self.issuer + "/oauth2/introspect", basic=GATEWAY,
                                  form={"token": token}).json()

    def _metadata(self):
        return self.client().get(self.issuer + "/.well-known/openid-configuration")

    def _write_configuration(self):
        directory = self.directory
        (directory / "lemonldap-ng.ini").write_text(filled("lemonldap.ini", {"DIR": directory}))
        key = run("openssl", "genrsa", "2048")
        document = json.loads((HERE / "lemonldap.json").read_text())
        document |= {
            "portal": self.issuer + "/", "domain": HOST.partition(".")[2],
            "oidcServiceMetaDataIssuer": self.issuer,
            "oidcServicePrivateKeySig": key.decode(),
            "oidcServicePublicKeySig": run("openssl", "rsa", "-pubout", stdin=key).decode(),
            "globalStorageOptions": self._storage("sessions"),
            "persistentStorageOptions": self._storage("psessions"),
            "localSessionStorage": "Cache::FileCache",
            "localSessionStorageOptions": {
                "namespace": "sessions", "cache_root": str(directory / "cache"),
                "directory_umask": "007", "default_expires_in": 600, "cache_depth": 3},
            "oidcRPMetaDataOptions": {"gateway": _options(*GATEWAY), "given": _options(
                *GIVEN, RedirectUris=f"http://127.0.0.1:{self.given_port}/callback",
                RefreshToken=1, AllowOffline=1, AllowClientCredentialsGrant=1)}}
        (directory / "conf/lmConf-1.json").write_text(json.dumps(document))
        if os.geteuid() == 0:
            user, group = pwd.getpwnam(USER).pw_uid, grp.getgrnam(USER).gr_gid
            for path in [directory, *directory.rglob("*")]:
                os.chown(path, user, group)

    def _storage(self, name) -> dict:
        path = self.directory / name
        return {"Directory": str(path), "LockDirectory": str(path / "lock"),
                "generateModule": "Lemonldap::NG::Common::Apache::Session::Generate::SHA256"}


def _options(identifier, secret, **more) -> dict:
    """A client as an administrator makes it."""
    named = {"ClientID": identifier, "ClientSecret": secret, "DisplayName": identifier,
             "IDTokenSignAlg": "RS256", **more}
    return {"oidcRPMetaDataOptions" + name: value for name, value in named.items()}
