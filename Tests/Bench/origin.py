"""The server from which bodies are fetched: nginx with TLS, a small resource and a large file, in memory."""

import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import measuring
from Servers.authority import Authority
from Servers.nginx import Nginx

SMALL = "x" * 199 + "\\n"
# Of all servers of a comparison: clients keep up to 50 at each.
CONNECTIONS = 1024


@dataclass
class Origin:
    """`/small` has 200 bytes; `large` is the file of `/files/large`. `directory` is for other files too."""

    directory: Path
    authority: Authority
    server: Nginx
    large: Path

    def add_profile(self, binary, name="main"):
        """Adds a profile for the port of that name: `main` has HTTP/2 too, `old` HTTP/1.1 only."""
        measuring.add_profile(binary, name, self.server.at(name), self.authority.pin("good"),
                              "--ca-file", self.authority.root)


@contextlib.contextmanager
def running(mebibytes: int):
    """An origin whose large file has that size, with an empty store for sdkctl."""
    # In memory where that is possible: the disk is not what is measured.
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="sdkctl-bench.", dir=place) as name:
        directory = Path(name)
        directory.chmod(0o755)
        authority = Authority(directory / "ca")
        server = Nginx(directory / "server", "main", "old").configure(
            "bench.conf", connections=CONNECTIONS, CERTIFICATE=authority.chain("good"),
            KEY=authority.key("good"), SMALL=SMALL)
        large = directory / "server/files/large"
        large.parent.mkdir()
        with large.open("wb") as file:
            for _ in range(mebibytes):
                file.write(os.urandom(1 << 20))
        measuring.use_store(directory / "store")
        server.start()
        try:
            yield Origin(directory, authority, server, large)
        finally:
            server.stop()
