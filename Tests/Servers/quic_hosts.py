"""Hosts with HTTP/3: one nginx whose ports differ in what they show over QUIC and over TCP."""

import atexit
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from .authority import Authority
from .gateway import FencedLog
from .gateway import Gateway as Fenced
from .process import LogFile, Server, free_port


def has_http3() -> bool:
    """Whether the nginx that is installed has HTTP/3 (1.25 and newer)."""
    if not shutil.which("nginx"):
        return False
    done = subprocess.run(["nginx", "-V"], capture_output=True, text=True)
    return "--with-http_v3_module" in done.stderr


class QUICHosts:
    """nginx on one port for each host; the chain may differ between UDP and TCP."""

    _shared = None

    def __init__(self):
        self.directory = Path(tempfile.mkdtemp(prefix="sdkctl-quic."))
        self.authority = Authority(self.directory / "ca")
        self.authority.leaf("other", "DNS:localhost,IP:127.0.0.1")
        self.authority._signed("alice", "/CN=alice", by="intermediate", extensions=(
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=clientAuth\n"))
        self.ports = {"fence": free_port()}
        servers = [
            self._server("both", udp="good", tcp="good"), self._server("quic", udp="good"),
            self._server("tcp", tcp="good"), self._server("split", udp="other", tcp="good"),
            self._server("crossed", udp="good", tcp="other"),
            self._server("wronghost", udp="wronghost", tcp="wronghost"),
            self._server("expired", udp="expired", tcp="expired"),
            self._server("mutual", udp="good", tcp="good", more=(
                "ssl_verify_client on; ssl_client_certificate "
                f"{self.authority.root}; ssl_verify_depth 3;"))]
        self.fences = iter(range(1 << 30))
        user = "user root;" if os.geteuid() == 0 else ""
        temporary = "".join(f"{name}_temp_path {self.directory}/tmp-{name};\n" for name in (
            "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (self.directory / "nginx.conf").write_text(
            f"{user}\ndaemon off;\nworker_processes 1;\npid {self.directory}/nginx.pid;\n"
            f"error_log {self.directory}/error.log info;\nevents {{ worker_connections 4096; }}\n"
            "http {\n  log_format quic '$server_port client=$remote_port \"$request\" $status "
            "sni=$ssl_server_name tls=$ssl_protocol length=$request_length "
            "subject=$ssl_client_s_dn';\n"
            f"  access_log {self.directory}/access.log quic;\n  {temporary}"
            "  default_type text/plain;\n  client_max_body_size 64m;\n"
            f"  server {{ listen 127.0.0.1:{self.ports['fence']}; return 204; }}\n"
            + "".join(servers) + "}\n")
        (self.directory / "files").mkdir()
        (self.directory / "files" / "large").write_bytes(os.urandom(1 << 20) * 8)
        self.server = Server(
            ["nginx", "-p", self.directory, "-c", self.directory / "nginx.conf"],
            self.ports["tcp"], self.directory / "nginx.out").start()

    @classmethod
    def shared(cls):
        """The hosts of this test process; started on first use, ended at its exit."""
        if cls._shared is None:
            cls._shared = cls()
            atexit.register(cls._shared.close)
        return cls._shared

    def close(self):
        self.server.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def at(self, name="both", host="localhost") -> str:
        return f"https://{host}:{self.ports[name]}"

    def requests(self) -> LogFile:
        """The access log from now on: one line for each request that nginx ever read."""
        return FencedLog(self.directory / "access.log", self)

    fence = Fenced.fence

    def _server(self, name, udp=None, tcp=None, more="") -> str:
        port = self.ports[name] = free_port()
        blocks = []
        if udp:
            blocks.append((f"listen 127.0.0.1:{port} quic reuseport;", udp))
        if tcp:
            blocks.append((f"listen 127.0.0.1:{port} ssl; http2 on;", tcp))
        if udp and udp == tcp:
            blocks = [(" ".join(listen for listen, _ in blocks), udp)]
        return "".join(f"""
  server {{
    {listen} {more}
    ssl_certificate {self.authority.chain(chain)};
    ssl_certificate_key {self.authority.key(chain)};
    location / {{ return 200 "$http3$http2\\n"; }}
    location /denied {{ return 401; }}
    location /to/ {{
      if ($request_uri ~ ^/to/([^/]+)/(.*)$) {{ return 302 https://$1/$2; }}
    }}
    location /files/ {{ root {self.directory}; }}
    location /upload {{
      proxy_pass http://127.0.0.1:{self.ports["fence"]};
      proxy_request_buffering on;
    }}
  }}
""" for listen, chain in blocks)
