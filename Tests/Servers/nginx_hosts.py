"""One nginx with a port for each host, for all tests of a process."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from .fenced import Fenced
from .process import Server, free_port

TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class NginxHosts(Fenced):
    """Hosts with certificates of one authority; a subclass writes their `server` blocks."""

    _shared = None

    def __init__(self, authority_type):
        super().__init__(Path(tempfile.mkdtemp(prefix="sdkctl-hosts.")))
        self.authority = authority_type(self.directory / "ca")
        self.ports = {"fence": free_port()}
        self.started = []

    @classmethod
    def shared(cls):
        """The hosts of this test process; started on first use, ended at its exit."""
        if cls._shared is None:
            cls._shared = cls()
            atexit.register(cls._shared.close)
        return cls._shared

    def close(self):
        for server in self.started:
            server.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self, host: str, servers: list, log: str, settings: str, connections: int):
        """Starts nginx and waits for the port of a host; `log` is the format of the access log."""
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = "".join(
            f"{name}_temp_path {self.directory}/tmp-{name};\n" for name in TEMPORARY)
        (self.directory / "nginx.conf").write_text(
            f"{user}\ndaemon off;\nworker_processes 1;\npid {self.directory}/nginx.pid;\n"
            f"error_log {self.directory}/error.log info;\n"
            f"events {{ worker_connections {connections}; }}\n"
            f"http {{\n  log_format hosts '{log}';\n"
            f"  access_log {self.directory}/access.log hosts;\n  {temporary}"
            f"  default_type text/plain;\n{settings}"
            f"  server {{ listen 127.0.0.1:{self.ports['fence']}; return 204; }}\n"
            + "".join(servers) + "}\n")
        self.started.append(Server(
            ["nginx", "-p", self.directory, "-c", self.directory / "nginx.conf"],
            self.ports[host], self.directory / "nginx.out").start())
