"""Apache on loopback: client certificates by location, which are asked for after the handshake."""

import tempfile
from pathlib import Path

from .process import Server, free_port
from .templates import with_values

CONFIGURATION = """
ServerName localhost
ServerRoot @DIR@
PidFile @DIR@/apache.pid
DefaultRuntimeDir @DIR@
Mutex file:@DIR@
ErrorLog @DIR@/error.log
LogLevel warn ssl:info
Listen 127.0.0.1:@PORT@ https
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule socache_shmcb_module /usr/lib/apache2/modules/mod_socache_shmcb.so
LoadModule ssl_module /usr/lib/apache2/modules/mod_ssl.so
# As root it changes to this user, who must be able to read the pages.
User nobody
Group nogroup
StartServers 1
DocumentRoot @DIR@/pages
SSLEngine on
SSLProtocol @PROTOCOL@
SSLSessionCache none
SSLCertificateFile @CHAIN@
SSLCertificateKeyFile @KEY@
SSLCACertificateFile @CA@
SSLVerifyDepth 3
<Directory />
  AllowOverride None
</Directory>
<Location /private>
  SSLVerifyClient require
</Location>
"""


class Apache:
    """An Apache that serves `/public` to everybody, and `/private` to clients with a certificate.

    `version` is the one of TLS: `TLSv1.2` or `TLSv1.3`.
    """

    def __init__(self, version: str, *, chain, key, authorities):
        # The home of a test is for its owner only.
        self.place = tempfile.TemporaryDirectory(prefix="sdkctl-apache.")
        directory = Path(self.place.name)
        pages = directory / "pages"
        pages.mkdir()
        for name in ("public", "private"):
            (pages / name).write_text(name)
        self.port = free_port()
        for place in (directory, pages):
            place.chmod(0o755)
        file = directory / "apache.conf"
        file.write_text(with_values(CONFIGURATION, {
            "DIR": directory, "PORT": self.port, "PROTOCOL": version, "CHAIN": chain, "KEY": key,
            "CA": authorities}))
        self.server = Server(["apache2", "-X", "-d", directory, "-f", file], self.port,
                             directory / "apache.out")

    def start(self):
        self.server.start()
        return self

    def stop(self):
        self.server.stop()
        self.place.cleanup()
