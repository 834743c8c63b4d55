"""Dovecot, whose users log in with access tokens of an OpenID provider."""

import shutil
import socket
import ssl
from pathlib import Path

from .process import LOOPBACK, Server, free_port


class Dovecot:
    """An IMAP server with TLS that asks the userinfo endpoint of a provider about each token."""

    def __init__(self, directory: Path, authority, userinfo: str):
        self.directory, self.authority, self.userinfo = directory, authority, userinfo
        self.port = free_port()

    def start(self):
        self.directory.mkdir(mode=0o755)
        chain, key = self.authority.files("good")
        for name, file in (("root.crt", self.authority.certificate("root")), ("chain.pem", chain), ("key.pem", key)):
            shutil.copy(file, self.directory / name)
        (self.directory / "mail").mkdir(mode=0o777)
        (self.directory / "mail").chmod(0o777)
        (self.directory / "oauth2.conf").write_text(f"""
introspection_url = {self.userinfo}
introspection_mode = auth
username_attribute = sub
tls_ca_cert_file = {self.directory}/root.crt
""")
        settings = self.directory / "dovecot.conf"
        settings.write_text(f"""
protocols = imap
listen = {LOOPBACK}
base_dir = {self.directory}/run
state_dir = {self.directory}/state
log_path = {self.directory}/dovecot.log
ssl = required
ssl_cert = <{self.directory}/chain.pem
ssl_key = <{self.directory}/key.pem
auth_mechanisms = oauthbearer xoauth2
auth_username_format = %u
auth_username_chars =
mail_location = maildir:{self.directory}/mail/box
first_valid_uid = 1
passdb {{
  driver = oauth2
  mechanisms = oauthbearer xoauth2
  args = {self.directory}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={self.directory}/mail
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {self.port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
""")
        self.server = Server(["dovecot", "-F", "-c", settings], self.port, self.directory / "dovecot.out").start()
        return self

    def stop(self):
        self.server.stop()

    def log_in(self, mechanism: str, message: str) -> str:
        """The last word of the server about a SASL message: `OK`, or `NO` and why."""
        context = ssl.create_default_context(cafile=str(self.directory / "root.crt"))
        with socket.create_connection((LOOPBACK, self.port), timeout=30) as plain:
            plain.recv(4096)
            plain.sendall(b"a STARTTLS\r\n")
            plain.recv(4096)
            with context.wrap_socket(plain, server_hostname="localhost") as connection:
                lines = connection.makefile("rb")
                # The message stands in the command (RFC 4959), exactly as it is.
                connection.sendall(f"b AUTHENTICATE {mechanism} {message}\r\n".encode())
                for line in lines:
                    if line.startswith(b"+"):
                        # What was wrong is acknowledged (RFC 7628 section 3.2.3).
                        connection.sendall(b"AQ==\r\n")
                    elif line.startswith(b"b "):
                        answer = line.decode().split(" ", 1)[1].strip()
                        return "OK" if answer.startswith("OK") else answer
        return "the connection ended"
