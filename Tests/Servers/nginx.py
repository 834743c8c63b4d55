"""nginx on loopback, with logs that are complete: it writes them later than a client gets its response."""

import http.client
import itertools
import os
from pathlib import Path

from .process import LOOPBACK, LogFile, Server, free_port, wait_until
from .templates import HERE, with_values

CONFIGURATION = """
@USER@ daemon off; worker_processes 1; pid @DIR@/nginx.pid;
error_log @DIR@/error.log @LEVEL@;
events { worker_connections @CONNECTIONS@; }
http {
  @LOG@
  client_body_temp_path @DIR@/tmp-client_body; proxy_temp_path @DIR@/tmp-proxy;
  fastcgi_temp_path @DIR@/tmp-fastcgi; uwsgi_temp_path @DIR@/tmp-uwsgi; scgi_temp_path @DIR@/tmp-scgi;
  default_type text/plain;
  server { listen 127.0.0.1:@FENCE@; return 204; }
"""


class FencedLog(LogFile):
    """A log of nginx that is complete whenever it is marked or read."""

    def __init__(self, path: Path, nginx):
        self.nginx = nginx
        super().__init__(path)

    def mark(self):
        self.nginx.fence()
        super().mark()

    def lines(self) -> list:
        self.nginx.fence()
        return [line for line in super().lines() if "/fence/" not in line]


class Nginx:
    """An nginx with one worker, whose files are in `directory`. `ports` has a free port for each name."""

    def __init__(self, directory: Path, *names):
        directory.mkdir(parents=True, exist_ok=True)
        self.directory, self.fences = directory, itertools.count()
        self.ports = {name: free_port() for name in (*names, "fence")}
        self.server = Server(["nginx", "-p", directory, "-c", directory / "nginx.conf"],
                             self.ports["fence"], directory / "nginx.out")

    def configure(self, http: str, log=None, connections=256, **values):
        """Writes the configuration.

        `http` is the content of the section `http`, or a file beside this one that has it; in it
        @NAME@ stands for a value or the port of that name. `log` is the format of the access log.
        """
        text = (HERE / http).read_text() if http.endswith(".conf") else http
        values |= {name.upper(): port for name, port in self.ports.items()}
        values |= {
            "DIR": self.directory, "USER": "user root;" if os.geteuid() == 0 else "",
            "CONNECTIONS": connections, "LEVEL": "info" if log else "error",
            "LOG": f"log_format tests '{log}'; access_log {self.directory}/access.log tests;"
            if log else "access_log off;"}
        (self.directory / "nginx.conf").write_text(with_values(CONFIGURATION + text + "}\n", values))
        return self

    def at(self, name="main", host="localhost") -> str:
        return f"https://{host}:{self.ports[name]}"

    def start(self):
        self.server.start()
        return self

    def stop(self):
        self.server.stop()

    def requests(self) -> LogFile:
        """The access log from now on: one line for each request line that nginx ever read."""
        return FencedLog(self.directory / "access.log", self)

    def troubles(self) -> LogFile:
        """The error log from now on, with every failed handshake."""
        return FencedLog(self.directory / "error.log", self)

    def fence(self):
        """Makes nginx write down all that it has seen: its one worker logs in order."""
        mark = f"/fence/{next(self.fences)}"
        log = LogFile(self.directory / "access.log")
        connection = http.client.HTTPConnection(LOOPBACK, self.ports["fence"], timeout=5)
        connection.request("GET", mark)
        connection.getresponse().read()
        connection.close()
        wait_until(lambda: log.count(mark + " "), "nginx's log")
