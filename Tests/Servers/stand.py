"""The stands: a certificate authority, a provider and its gateway, for one test run."""

import atexit
import os
import shutil
import tempfile
import threading
import time
from pathlib import Path

from .allauth_provider import Allauth
from .authority import Authority
from .canaille import Canaille
from .gateway import Gateway
from .glewlwyd import Glewlwyd
from .hostile import Hostile
from .lemonldap import LemonLDAP
from .mcp_sdk import MCP
from .pyop_provider import Pyop
from .resource import Resource

ARTEFACTS = Path(__file__).resolve().parents[1] / "artefacts"


class ProviderStand:
    """A provider of this type, and a resource gateway that asks it about tokens.

    `with Stand() as stand:` starts everything; leaving ends it and removes its directory.

    On an exception, or after `keep()`, the logs are copied to Tests/artefacts first.
    """

    provider_type = None
    _shared = None

    def __enter__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="sdkctl-stand."))
        self.kept = False
        self.started = []
        try:
            self._start()
        except BaseException:
            self.keep()
            self.close()
            raise
        return self

    def __exit__(self, kind, *_):
        if kind is not None:
            self.keep()
        self.close()

    @classmethod
    def shared(cls):
        """The stand of this type of this test process; started on first use, ended at its exit."""
        if cls._shared is None:
            cls._shared = cls().__enter__()
            atexit.register(cls._shared.close)
        return cls._shared

    def keep(self):
        """Asks for the logs to be kept."""
        self.kept = True

    def close(self):
        for server in reversed(self.started):
            server.stop()
        if self.kept:
            self._save_logs()
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def ca_file(self) -> Path:
        return self.authority.root

    def _start(self):
        # Others than the one who runs the tests may come in: some tests run as nobody.
        os.chmod(self.directory, 0o755)
        self.authority = Authority(self.directory / "ca")
        self.provider = self._started(
            self.provider_type(self.directory / "provider", self.authority))
        self.resource = self._started(Resource(self._introspect()))
        self.gateway = self._started(
            Gateway(self.directory / "gateway", self.authority, self.resource.port))

    def _introspect(self):
        return self.provider.introspect

    def _started(self, server):
        self.started.append(server)
        return server.start()

    def _save_logs(self):
        target = ARTEFACTS / f"stand-{os.getpid()}"
        for log in [*self.directory.glob("*/*.log"), *self.directory.glob("*/*.out")]:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(log, target / f"{log.parent.name}-{log.name}")


class Stand(ProviderStand):
    """Glewlwyd, and a hostile origin beside it."""

    provider_type = Glewlwyd

    def _start(self):
        super()._start()
        self.hostile = self._started(Hostile(self.authority))
        self.resource.addresses.update(
            other=self.gateway.at("main", "127.0.0.1") + "/echo",
            port=self.gateway.at("other") + "/echo")

    def _introspect(self):
        return _Introspector(self.provider)


class LemonLDAPStand(ProviderStand):
    provider_type = LemonLDAP


class CanailleStand(ProviderStand):
    provider_type = Canaille


class AllauthStand(ProviderStand):
    provider_type = Allauth


class MCPStand(ProviderStand):
    provider_type = MCP


class PyopStand(ProviderStand):
    provider_type = Pyop


class _Introspector:
    """Asks the provider about tokens, with a service token of its own that is used for a while."""

    def __init__(self, provider: Glewlwyd):
        self.provider, self.lock, self.until, self.bearer = provider, threading.Lock(), 0, None

    def __call__(self, token: str) -> dict:
        with self.lock:
            if time.monotonic() > self.until:
                self.bearer = self.provider.service_token("introspect")
                self.until = time.monotonic() + 30
        return self.provider.client().post(
            self.provider.issuer + "/introspect",
            fields={"Authorization": "Bearer " + self.bearer}, form={"token": token}).json()
