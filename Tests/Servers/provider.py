"""What the OpenID providers of the tests share: a directory, a port, a log, a client."""

from pathlib import Path

from .client import Client
from .process import LogFile, Server, free_port


class Provider:
    """An OpenID provider with a certificate of the tests' authority.

    A subclass sets `servers`, in the order in which they start, and `start`.
    """

    host = "localhost"
    servers: list[Server]

    def __init__(self, directory: Path, authority):
        self.directory, self.authority = directory, authority
        directory.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        self.origin = f"https://{self.host}:{self.port}"
        self.log_path = directory / f"{type(self).__name__.lower()}.log"

    def resume(self):
        """Starts it again after `stop`, with all that it knows."""
        for server in self.servers:
            server.start()

    def stop(self):
        for server in reversed(self.servers):
            server.stop()

    def events(self) -> LogFile:
        """Its log, from now on."""
        return LogFile(self.log_path)

    def userinfo(self, token: str, endpoint: str) -> dict:
        """What userinfo says of a token, in the form of an introspection."""
        said = self.client().get(endpoint, fields={"Authorization": "Bearer " + token})
        return {"active": True, **said.json()} if said.status == 200 else {"active": False}

    def client(self) -> Client:
        return Client(self.authority.root)
