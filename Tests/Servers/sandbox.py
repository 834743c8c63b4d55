"""The sandbox as the tests' counterpart: started once, reset between tests, ended at exit."""

import atexit
import fcntl
import json
import os
import shutil
import signal
from pathlib import Path

from .case import Case
from .client import Client
from .process import answers, wait_until
from .sdkctl import REPOSITORY, Home, Result
from .stand import ARTEFACTS

PROGRAM = Path(os.environ.get(
    "SDKCTL_SANDBOX", REPOSITORY / ".build/debug/sdkctl-sandbox")).resolve()


class Sandbox:
    """A sandbox in the background, with a home of its own whose profile `start` wrote."""

    _shared = None

    def __init__(self, *options, port=0):
        self.home = SandboxHome()
        try:
            self.start(*options, port=port)
        except BaseException:
            self.home.remove()
            raise

    @classmethod
    def shared(cls) -> "Sandbox":
        """The sandbox of this test process; started on first use, ended at its exit."""
        if cls._shared is None:
            cls._shared = cls()
            atexit.register(cls._shared.close)
        return cls._shared

    def start(self, *options, port=0):
        self.facts = json.loads(self.command(
            "start", "--background", f"--port={port}", "--json", *options).out)
        self.issuer, self.url = self.facts["issuer"], self.facts["resourceURL"]
        self.ca_file, self.port = self.facts["caFile"], self.facts["port"]
        self.directory = Path(self.facts["directory"])

    def command(self, *words, code=0) -> Result:
        """Runs `sdkctl sandbox`, which must end so."""
        result = self.home.run("sandbox", *words)
        if result.exit != code:
            raise AssertionError(result)
        return result

    def close(self):
        """Stops the sandbox and removes its home; a second call does nothing."""
        if self.home.directory.exists():
            self.home.run("sandbox", "stop")
            self.home.remove()

    def crash(self):
        """Kills the sandbox and returns when it is gone."""
        with open(self.directory / "lock") as lock:
            os.kill(self.status()["pid"], signal.SIGKILL)
            fcntl.flock(lock, fcntl.LOCK_SH)
        # The kernel closes descriptors one by one: the listening socket may come after the lock.
        wait_until(lambda: not answers(self.port), "the end of the listener")

    def status(self) -> dict:
        return json.loads(self.command("status", "--json").out)

    def fault(self, name, *options):
        self.command("fault", name, *options)

    def struck(self, name) -> int:
        """How often a fault has struck since the last reset."""
        return self.status()["counts"]["faults"].get(name, 0)

    def grants(self, name) -> int:
        """How often the token endpoint was asked by this grant since the last reset."""
        return self.status()["counts"]["grants"].get(name, 0)

    def requests(self, endpoint) -> int:
        return self.status()["counts"]["endpoints"].get(endpoint, 0)

    def introspect(self, token) -> dict:
        """What the token server says of a token to its gateway."""
        return self.introspect_as(self.status()["gateway"], token)

    def introspect_as(self, gateway, token) -> dict:
        """The same, for a gateway whose credentials are known."""
        return Client(self.ca_file).post(
            self.issuer + "/introspect", form={"token": token},
            basic=(gateway["client_id"], gateway["client_secret"])).json()


class SandboxHome(Home):
    """A home that finds sdkctl-sandbox as people do: on the PATH."""

    def __init__(self):
        super().__init__("sandbox")
        self.environment["PATH"] = f"{PROGRAM.parent}:{self.environment['PATH']}"


class SandboxCase(Case):
    """A test against the shared sandbox, which has forgotten everything before it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not PROGRAM.exists():
            raise FileNotFoundError(
                f"{PROGRAM} is not built: make tests")

    def setUp(self):
        super().setUp()
        self.sandbox.command("reset")

    @property
    def sandbox(self) -> Sandbox:
        return Sandbox.shared()

    def new_home(self) -> Home:
        """A home with the profile that the sandbox wrote, and nothing else."""
        home = SandboxHome()
        self.addCleanup(home.remove)
        shutil.copytree(self.sandbox.home.store / "config", home.store / "config")
        home.store.chmod(0o700)
        return home

    def run(self, result=None):
        troubles = lambda: len(result.failures) + len(result.errors)
        before = troubles() if result else 0
        super().run(result)
        if result and troubles() > before and Sandbox._shared:
            target = ARTEFACTS / f"sandbox-{os.getpid()}"
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(Sandbox._shared.directory / "log", target / f"{self.id()}.log")
        return result

    # Steps

    def own(self, *options, **keywords) -> Sandbox:
        """A sandbox for this test alone, to be started in its own way or to be broken."""
        sandbox = Sandbox(*options, **keywords)
        self.addCleanup(sandbox.close)
        return sandbox

    def register(self):
        self.ok("profile", "set", "scope=" + SCOPE, "anonymousScope=application-details")
        self.ok("register")

    def add_session(self):
        """Registration and login as alice."""
        self.register()
        self.use_person()
        self.ok("login")

    def use_person(self, action="accept", **settings) -> Path:
        """Puts a person before the pages of the sandbox; answers where the notes will be."""
        return self.home.use_browser(self.sandbox, action, **settings)

    def jsonError(self, result: Result) -> dict:
        """The error that `--json` wrote, after whatever was said before it."""
        return json.loads(result.err[result.err.index('{"error"'):])["error"]

    def notes(self) -> list:
        """The pages that the person saw, in their order."""
        path = self.home.directory / "notes"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


SCOPE = "openid profile read write"
