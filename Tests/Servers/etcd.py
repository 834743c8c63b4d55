"""Three nodes of etcd with TLS and client certificates, each of which can be killed, suspended and started again."""

import atexit
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from .authority import Authority
from .process import Server, free_port, wait_until


class Cluster:
    """A cluster in a directory of its own."""

    _shared = None

    @classmethod
    def shared(cls) -> "Cluster":
        """The cluster of this test process; started on first use, ended at its exit."""
        if cls._shared is None:
            cls._shared = cls()
            atexit.register(cls._shared.close)
        return cls._shared

    def __init__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="etcd-"))
        self.authority = Authority(self.directory / "ca", clock="-2h")
        for name in ("node", "machine"):
            self._leaf(name, self.authority, "intermediate")
        self._leaf("foreign", self.authority, "stranger")
        self.ca_file = self.authority.certificate("root")
        self.ports = [free_port() for _ in range(3)]
        peers = [free_port() for _ in range(3)]
        cluster = ",".join(f"n{i}=https://127.0.0.1:{peer}" for i, peer in enumerate(peers))
        chain, key = self.authority.files("node")
        self.nodes = []
        for i, (port, peer) in enumerate(zip(self.ports, peers)):
            files = [f"--{kind}{name}={value}" for kind in ("", "peer-") for name, value in (
                ("cert-file", chain), ("key-file", key), ("trusted-ca-file", self.ca_file))]
            self.nodes.append(Server(
                ["etcd", f"--name=n{i}", f"--data-dir={self.directory}/data{i}",
                 "--initial-cluster-state=new", "--initial-cluster-token=test",
                 f"--initial-cluster={cluster}", f"--listen-client-urls=https://127.0.0.1:{port}",
                 f"--advertise-client-urls=https://127.0.0.1:{port}",
                 f"--listen-peer-urls=https://127.0.0.1:{peer}",
                 f"--initial-advertise-peer-urls=https://127.0.0.1:{peer}", "--client-cert-auth",
                 "--peer-client-cert-auth", *files, "--log-level=warn", "--unsafe-no-fsync"
                 if self._knows("unsafe-no-fsync") else "--log-level=warn"],
                port, self.directory / f"n{i}.log"))
        for node in self.nodes:
            node.start()
        wait_until(self.is_healthy, "a leader of the cluster", seconds=20)

    @staticmethod
    def _knows(option) -> bool:
        usage = subprocess.run(["etcd", "--help"], capture_output=True, text=True)
        return f"--{option}" in usage.stdout + usage.stderr

    @staticmethod
    def _leaf(name, authority, by):
        authority.leaf(
            name, "DNS:localhost,IP:127.0.0.1", by=by, usage="serverAuth,clientAuth")
        bundle = authority.path(name + ".bundle")
        bundle.touch(0o600)
        chain = authority.path(name + ".pem")
        bundle.write_bytes(chain.read_bytes() + authority.key(name).read_bytes())

    def certificate(self, name="machine") -> Path:
        """The file with a client's certificate and key."""
        return self.authority.path(name + ".bundle")

    def place(self, prefix="team/work") -> str:
        return "etcd:https://" + ",".join(f"127.0.0.1:{port}" for port in self.ports) + "/" + prefix

    def etcdctl(self, *words, check=True) -> str:
        """Runs etcdctl as an operator does."""
        chain, key = self.authority.files("machine")
        result = subprocess.run(
            ["etcdctl", f"--cacert={self.ca_file}", f"--cert={chain}", f"--key={key}",
             "--endpoints=" + ",".join(f"https://127.0.0.1:{port}" for port in self.ports), *words],
            capture_output=True, text=True, timeout=60, env={**os.environ, "ETCDCTL_API": "3"})
        if check and result.returncode != 0:
            raise AssertionError(result.stderr)
        return result.stdout

    def is_healthy(self) -> bool:
        return "true" in self.etcdctl("get", "health", "--print-value-only", check=False) or (
            self.etcdctl("put", "health", "true", check=False) == "OK\n")

    def keys(self) -> list:
        return [key for key in self.etcdctl("get", "", "--prefix", "--keys-only").split("\n")
                if key and key != "health"]

    def get(self, key) -> str:
        return self.etcdctl("get", key, "--print-value-only").rstrip("\n")

    def leader(self) -> int:
        for line in self.etcdctl("endpoint", "status", "--write-out=json").splitlines():
            for entry in json.loads(line):
                status = entry["Status"]
                if status["leader"] == status["header"]["member_id"]:
                    return self.ports.index(int(entry["Endpoint"].rsplit(":", 1)[1]))
        raise AssertionError("there is no leader")

    def requests(self, *methods) -> int:
        """How many requests all nodes have got from clients since they were started: of these methods, or all."""
        methods = methods or (
            "Txn", "Range", "LeaseGrant", "LeaseRevoke", "LeaseKeepAlive", "Watch")
        total = 0
        for port in self.ports:
            chain, key = self.authority.files("machine")
            text = subprocess.run(
                ["curl", "-sS", "--cacert", self.ca_file, "--cert", chain, "--key", key,
                 f"https://127.0.0.1:{port}/metrics"], capture_output=True, text=True).stdout
            total += sum(
                int(float(line.rsplit(" ", 1)[1])) for line in text.splitlines()
                if line.startswith("grpc_server_started_total")
                and any(f'grpc_method="{method}"' in line for method in methods))
        return total

    def revoke_leases(self):
        """Ends all leases, with their locks, as if nobody had kept them alive."""
        for lease in self.etcdctl("lease", "list").split("\n")[1:]:
            if lease:
                self.etcdctl("lease", "revoke", lease)

    def compact(self):
        """Forgets all revisions but the last, which is at least two later than any that a client knows."""
        for _ in range(2):
            self.etcdctl("put", "health", "true")
        status = json.loads(self.etcdctl("endpoint", "status", "--write-out=json"))
        revision = max(entry["Status"]["header"]["revision"] for entry in status)
        self.etcdctl("compaction", "--physical", str(revision))

    def kill(self, index):
        process, self.nodes[index].process = self.nodes[index].process, None
        process.kill()
        process.wait()

    def suspend(self, index):
        self.nodes[index].process.send_signal(signal.SIGSTOP)

    def resume(self, index):
        self.nodes[index].process.send_signal(signal.SIGCONT)

    def start(self, index):
        self.nodes[index].start()

    def close(self):
        for node in self.nodes:
            if node.process:
                node.process.send_signal(signal.SIGCONT)
            node.stop()
        shutil.rmtree(self.directory, ignore_errors=True)
