"""Machines that share a cluster of etcd: what the tests of the shared store have in common."""

from .authority import faketime
from .etcd import Cluster
from .process import wait_until
from .sandbox import SandboxCase, SandboxHome
from .sdkctl import Result

LOCK = "team/work/credentials/user/lock"
VALUE = "team/work/credentials/user/value"


class FleetCase(SandboxCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cluster = Cluster.shared()

    def setUp(self):
        super().setUp()
        for index, node in enumerate(self.cluster.nodes):
            if node.process is None:
                self.cluster.start(index)
        wait_until(self.cluster.is_healthy, "the health of the cluster")
        self.cluster.etcdctl("del", "team/", "--prefix")
        self.ok("profile", "set", "passwordGrant=true")
        self.ok("register")
        self.log_in()
        self.key = self.home.directory / "work.key"
        self.ok("profile", "store", "key", "export", "--new", "--output", self.key)
        self.ok("pin", "add", "--host", "127.0.0.1", self.cluster.authority.pin("node"), "--yes")

    def log_in(self):
        self.ok("login", "password", "alice", "--password-file", "-", input="wonderland\n")

    def later(self, *words, home=None):
        """Starts a command whose request to the token endpoint is late; returns when it was sent."""
        seen = self.sandbox.struck("latency")
        self.sandbox.fault("latency", "--on", "token")
        process = (home or self.home).start(*words)
        wait_until(lambda: self.sandbox.struck("latency") > seen, "the request")
        return process

    def ended(self, process) -> Result:
        out, errors = process.communicate(timeout=90)
        return Result(tuple(process.args), process.returncode, out, errors)

    def options(self, certificate="machine", key=None):
        return ["--store-key-file", str(key or self.key), "--store-ca-file",
                str(self.cluster.ca_file), "--store-certificate-file",
                str(self.cluster.certificate(certificate))]

    def move(self):
        self.ok("profile", "store", "move", self.cluster.place(), *self.options())

    def machine(self, place=None, clock=None) -> SandboxHome:
        """Another machine with the profile, and with a clock that is wrong by that."""
        home = SandboxHome()
        self.addCleanup(home.remove)
        if clock:
            home.environment |= faketime(clock)
        result = home.run("profile", "add", "work", "--store", place or self.cluster.place(),
                          "--allow-weaker", "--allow", "caFile", *self.options(), timeout=60)
        self.assertEqual(result.exit, 0, result)
        return home
