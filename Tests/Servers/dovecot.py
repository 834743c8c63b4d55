"""Dovecot 2.3 and 2.4: its settings, and a server whose users log in with access tokens of an OpenID provider."""

import functools
import shutil
import subprocess
from pathlib import Path

from .process import LOOPBACK, Server, free_port


@functools.cache
def has_new_names() -> bool:
    """Whether the settings have the names of Dovecot 2.4, which does not read the old ones."""
    version = subprocess.run(["dovecot", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return tuple(map(int, version.split(".")[:2])) >= (2, 4)


def settings(directory: Path, chain: Path, key: Path, port: int) -> str:
    """The settings of an IMAP server with TLS and all files in a directory."""
    if has_new_names():
        first = "dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0"
        tls = f"ssl_server_cert_file = {chain}\nssl_server_key_file = {key}"
    else:
        first, tls = "", f"ssl_cert = <{chain}\nssl_key = <{key}"
    return f"""{first}
protocols = imap
listen = {LOOPBACK}
base_dir = {directory}/dovecot
state_dir = {directory}/dovecot-state
log_path = {directory}/dovecot.log
ssl = required
auth_failure_delay = 0 secs
{tls}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}

service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
"""


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
        configuration = self.directory / "dovecot.conf"
        configuration.write_text(settings(
            self.directory, self.directory / "chain.pem", self.directory / "key.pem", self.port) + (
                self._authentication() if has_new_names() else self._old_authentication()))
        self.server = Server(["dovecot", "-F", "-c", configuration], self.port, self.directory / "dovecot.out").start()
        return self

    def _authentication(self) -> str:
        return f"""
auth_mechanisms = oauthbearer xoauth2
auth_username_format = %{{user}}
auth_username_chars =
mail_driver = maildir
mail_path = {self.directory}/mail/box
first_valid_uid = 1
oauth2 {{
  introspection_url = {self.userinfo}
  introspection_mode = auth
  username_attribute = sub
  ssl_client_ca_file = {self.directory}/root.crt
}}
userdb static {{
  fields {{
    uid = nobody
    gid = nogroup
    home = {self.directory}/mail
  }}
}}
"""

    def _old_authentication(self) -> str:
        (self.directory / "oauth2.conf").write_text(f"""
introspection_url = {self.userinfo}
introspection_mode = auth
username_attribute = sub
tls_ca_cert_file = {self.directory}/root.crt
""")
        return f"""
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
"""

    def stop(self):
        self.server.stop()
