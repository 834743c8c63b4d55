"""Hosts with chains of every kind: one nginx with a port for each, for the tests of pins."""

import atexit
import datetime
import shutil
import subprocess
import tempfile
from pathlib import Path

from .authority import NEW_KEY, Authority, run
from .nginx import Nginx
from .process import Server, free_port

KINDS = {
    "rsa2048": ("-newkey", "rsa:2048", "-nodes"),
    "rsa3072": ("-newkey", "rsa:3072", "-nodes"),
    "rsa4096": ("-newkey", "rsa:4096", "-nodes"),
    "p256": NEW_KEY,
    "p384": ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-nodes"),
    "p521": ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-521", "-nodes"),
    "ed25519": ("-newkey", "ed25519", "-nodes"),
}
NAMES = ("localhost", "other.localhost", "example.localhost", "*.example.localhost",
         "evil-example.localhost", "xn--bcher-kva.localhost")
LOCAL = ",".join(f"DNS:{name}" for name in NAMES) + ",IP:127.0.0.1,IP:::1"


class HostAuthority(Authority):
    """An authority with leaves of each kind of key, of other times, and with crossed roots.

    `old` is a root beside `root`; `crossed` is the key of `root`, signed by `old`.
    """

    def __init__(self, directory: Path):
        super().__init__(directory)
        self.leaf("local", LOCAL)
        self.leaf("rotated", LOCAL)
        for kind, new_key in KINDS.items():
            self.leaf(kind, LOCAL, new_key=new_key)
        self._times("future", after=1, before=20)
        self._times("past", after=-20, before=-1)
        self.old = self._root("old", "/O=sdkctl tests/CN=Old Root")
        self._cross("crossed", "root", by="old")
        names = ("local", "intermediate", "crossed", "old")
        self.chain("cross").write_text(
            "".join(self.certificate(name).read_text() for name in names))
        self.path("both.crt").write_text(self.root.read_text() + self.old.read_text())
        self.chain("extra").write_text(
            self.chain("local").read_text() + self.certificate("stranger").read_text())

    def certified(self, request: Path):
        """A certificate for a request with its own names, and the key beside the request."""
        certificate = request.with_suffix(".crt")
        run("openssl", "x509", "-req", "-in", request, "-CA", self.certificate("intermediate"),
            "-CAkey", self.key("intermediate"), "-CAcreateserial", "-days", "10",
            "-copy_extensions", "copyall", "-out", certificate)
        return certificate, request.with_suffix(".key")

    def _cross(self, name, of, by):
        """A certificate for the name and key of one authority, signed by another."""
        request = self.path(name + ".csr")
        extras = self.path(name + ".ext")
        extras.write_text("basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n")
        run("openssl", "x509", "-x509toreq", "-in", self.certificate(of), "-signkey", self.key(of),
            "-out", request)
        run("openssl", "x509", "-req", "-in", request, "-CA", self.certificate(by), "-CAkey",
            self.key(by), "-CAcreateserial", "-days", "20", "-extfile", extras, "-out",
            self.certificate(name))

    def _times(self, name, after, before):
        """A leaf whose validity begins and ends so many days from now."""
        def day(offset):
            now = datetime.datetime.now(datetime.timezone.utc)
            return (now + datetime.timedelta(days=offset)).strftime("%Y%m%d%H%M%SZ")

        self.leaf(name, LOCAL)
        database = self.path(name + ".db")
        database.write_text("")
        settings = self.path(name + ".cnf")
        settings.write_text(
            "[ca]\ndefault_ca=it\n[it]\n"
            f"database={database}\nnew_certs_dir={self.directory}\nrand_serial=yes\n"
            "default_md=sha256\npolicy=any\nunique_subject=no\n"
            "[any]\norganizationName=optional\ncommonName=supplied\n")
        run("openssl", "ca", "-batch", "-notext", "-config", settings, "-cert",
            self.certificate("intermediate"), "-keyfile", self.key("intermediate"), "-in",
            self.path(name + ".csr"), "-out", self.certificate(name), "-extfile",
            self.path(name + ".ext"), "-startdate", day(after), "-enddate", day(before))
        both = self.certificate(name).read_text() + self.certificate("intermediate").read_text()
        self.chain(name).write_text(both)


class TLSHosts(Nginx):
    """nginx on a port for each certificate; `requests()` is the log of all of them."""

    _shared = None

    def __init__(self):
        super().__init__(Path(tempfile.mkdtemp(prefix="sdkctl-hosts.")))
        self.authority = HostAuthority(self.directory / "ca")
        self.started = [self]
        servers = [
            self._server("main", "local", http2=True),
            self._server("other", "local", http2=True),
            self._server("brief", "local", "keepalive_requests 3;", http2=True),
            self._server("rotated", "rotated"),
            self._server("tls12", "local", "ssl_protocols TLSv1.2;"),
            self._server("tls13", "local", "ssl_protocols TLSv1.3;"),
            self._server("cross", "cross", key="local"),
            self._server("extra", "extra", key="local"),
            self._server("future", "future"), self._server("past", "past"),
            *(self._server(kind, kind) for kind in KINDS)]
        self.configure(
            "ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:hosts:1m;\n"
            "ssl_session_tickets on; client_body_in_file_only on;\n" + "".join(servers),
            "$server_port conn=$connection \"$request\" $status host=$http_host "
            "tls=$ssl_protocol reused=$ssl_session_reused")
        self.start()

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

    def place(self, name="main", host="localhost") -> str:
        return f"{host}:{self.ports[name]}"

    def serve(self, name, text):
        """Serves a text at `/files/NAME` of each host."""
        path = self.directory / "files" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def s_server(self, *options, leaf=None) -> "SServer":
        """An `openssl s_server`, with the certificate and key of `local` or of other files."""
        authority = self.authority
        leaf = leaf or (authority.certificate("local"), authority.key("local"))
        server = SServer(self, options, leaf)
        self.started.append(server.server)
        return server

    def _server(self, name, chain, more="", key=None, http2=False) -> str:
        port = self.ports[name] = free_port()
        listens = f"127.0.0.1:{port} ssl{' http2' if http2 else ''}"
        other = f"listen [::1]:{port} ssl{' http2' if http2 else ''};" if http2 else ""
        return f"""
  server {{
    listen {listens}; {other} {more}
    ssl_certificate {self.authority.chain(chain)};
    ssl_certificate_key {self.authority.key(key or chain)};
    location / {{ return 200 "{name}\\n"; }}
    location /files/ {{ root {self.directory}; }}
    location = /international {{ return 302 https://Bücher.localhost:{port}/x; }}
    location = /misspelt {{ return 302 https://b☃cher.localhost:{port}/x; }}
    location /to/ {{
      if ($request_uri ~ ^/to/([^/]+)/(.*)$) {{ return 302 https://$1/$2; }}
    }}
  }}
"""


class SServer:
    """`openssl s_server`: what a client sends is in its log, byte by byte."""

    def __init__(self, hosts, options, leaf):
        self.port = free_port()
        self.path = hosts.directory / f"s_server-{self.port}.log"
        self.server = Server(
            ["openssl", "s_server", "-accept", f"127.0.0.1:{self.port}", "-cert", leaf[0], "-key",
             leaf[1], "-cert_chain", hosts.authority.certificate("intermediate"), *options],
            self.port, self.path, ready=lambda: "ACCEPT" in self.received(),
            stdin=subprocess.PIPE).start()

    def at(self, host="localhost") -> str:
        return f"https://{host}:{self.port}"

    def received(self) -> str:
        return self.path.read_text(errors="replace")
