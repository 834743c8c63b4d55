"""Servers of other protocols than HTTP, each with STARTTLS and the certificate of a test authority."""

import shutil
import subprocess
from pathlib import Path

from . import dovecot
from .process import LOOPBACK, Server, free_port


class StartTLSServers:
    """aiosmtpd, Dovecot (IMAP and POP3), OpenLDAP, PostgreSQL and Prosody, in a directory of their own.

    `ports` has the port of each protocol.
    """

    def __init__(self, directory: Path, chain: Path, key: Path):
        # PostgreSQL refuses to run as root, and reads its files as its own user.
        self.directory = directory
        directory.mkdir(mode=0o755)
        self.chain, self.key = directory / "chain.pem", directory / "key.pem"
        shutil.copy(chain, self.chain)
        shutil.copy(key, self.key)
        names = ("smtp", "imap", "pop3", "ldap", "postgres", "xmpp")
        self.ports = {name: free_port() for name in names}
        self.started = []

    def start(self):
        try:
            self._smtp()
            self._dovecot()
            self._ldap()
            self._postgres()
            self._xmpp()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self):
        for server in self.started:
            server.stop()

    def _run(self, name, *command):
        log = self.directory / f"{name}.log"
        self.started.append(Server(command, self.ports[name], log).start())

    def _file(self, name, text) -> Path:
        path = self.directory / name
        path.write_text(text)
        return path

    def _smtp(self):
        self._run("smtp", "aiosmtpd", "--nosetuid", "--listen", f"{LOOPBACK}:{self.ports['smtp']}", "--tlscert",
                  self.chain, "--tlskey", self.key, "--class", "aiosmtpd.handlers.Sink")

    def _dovecot(self):
        ports = {name: self.ports[name] for name in ("imap", "pop3")}
        settings = self._file(
            "dovecot.conf", dovecot.settings(self.directory, self.chain, self.key, ports) + dovecot.open_to_all())
        self._run("imap", "dovecot", "-F", "-c", settings)

    def _ldap(self):
        (self.directory / "ldap").mkdir()
        settings = self._file("slapd.conf", f"""
TLSCertificateFile {self.chain}
TLSCertificateKeyFile {self.key}
pidfile {self.directory}/slapd.pid
database config
""")
        self._run("ldap", "slapd", "-d", "0", "-f", settings, "-h", f"ldap://{LOOPBACK}:{self.ports['ldap']}")

    def _postgres(self):
        binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        data = self.directory / "postgres"
        user = ("setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups")
        data.mkdir()
        shutil.chown(data, "postgres", "postgres")
        shutil.chown(self.key, "postgres", "postgres")
        subprocess.run([*user, binaries / "initdb", "-A", "reject", "-D", data, "--no-sync"], check=True,
                       stdout=subprocess.DEVNULL, cwd=data)
        self._run("postgres", *user, binaries / "postgres", "-D", data, "-p", self.ports["postgres"], "-c",
                  f"listen_addresses={LOOPBACK}", "-c", f"unix_socket_directories={data}", "-c", "ssl=on", "-c",
                  f"ssl_cert_file={self.chain}", "-c", f"ssl_key_file={self.key}")

    def _xmpp(self):
        (self.directory / "prosody").mkdir()
        settings = self._file("prosody.lua", f"""
run_as_root = true
data_path = "{self.directory}/prosody"
pidfile = "{self.directory}/prosody.pid"
log = {{ info = "{self.directory}/prosody.txt" }}
interfaces = {{ "{LOOPBACK}" }}
c2s_ports = {{ {self.ports['xmpp']} }}
c2s_direct_tls_ports = {{}}
s2s_ports = {{}}
modules_enabled = {{ "tls", "saslauth" }}
modules_disabled = {{ "s2s" }}
VirtualHost "localhost"
ssl = {{ certificate = "{self.chain}", key = "{self.key}" }}
""")
        self._run("xmpp", "prosody", "-F", "--config", settings)
