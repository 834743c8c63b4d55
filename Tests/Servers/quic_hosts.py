"""Hosts with HTTP/3: one nginx whose ports differ in what they show over QUIC and over TCP."""

import os
import shutil
import subprocess

from .authority import Authority
from .nginx_hosts import NginxHosts
from .process import free_port


def has_http3() -> bool:
    """Whether the nginx that is installed has HTTP/3 (1.25 and newer)."""
    if not shutil.which("nginx"):
        return False
    done = subprocess.run(["nginx", "-V"], capture_output=True, text=True)
    return "--with-http_v3_module" in done.stderr


class QUICHosts(NginxHosts):
    """nginx on one port for each host; the chain may differ between UDP and TCP."""

    def __init__(self):
        super().__init__(Authority)
        self.authority.leaf("other", "DNS:localhost,IP:127.0.0.1")
        self.authority._signed("alice", "/CN=alice", by="intermediate", extensions=(
            "keyUsage=critical,digitalSignature\nextendedKeyUsage=clientAuth\n"))
        servers = [
            self._server("both", udp="good", tcp="good"), self._server("quic", udp="good"),
            self._server("tcp", tcp="good"), self._server("split", udp="other", tcp="good"),
            self._server("crossed", udp="good", tcp="other"),
            self._server("wronghost", udp="wronghost", tcp="wronghost"),
            self._server("expired", udp="expired", tcp="expired"),
            self._server("mutual", udp="good", tcp="good", more=(
                "ssl_verify_client on; ssl_client_certificate "
                f"{self.authority.root}; ssl_verify_depth 3;"))]
        (self.directory / "files").mkdir()
        (self.directory / "files" / "large").write_bytes(os.urandom(1 << 20) * 8)
        self.start(
            "tcp", servers,
            "$server_port client=$remote_port \"$request\" $status sni=$ssl_server_name "
            "tls=$ssl_protocol length=$request_length subject=$ssl_client_s_dn",
            "  client_max_body_size 64m;\n", connections=4096)

    def at(self, name="both", host="localhost") -> str:
        return f"https://{host}:{self.ports[name]}"

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
