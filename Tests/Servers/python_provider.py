"""OpenID providers that are one Python program, in a virtual environment of its own."""

from pathlib import Path

from .process import Server
from .provider import Provider
from .templates import HERE
from .virtual_environment import VirtualEnvironment


class PythonProvider(Provider):
    """A subclass names the environment, and the program: `PROGRAM ORIGIN PORT CHAIN KEY`."""

    environment: VirtualEnvironment
    program: str

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin
        self.servers = [Server(
            [self.environment.program("python"), HERE / self.program, *self.arguments(), self.port,
             authority.chain("good"), authority.key("good")], self.port, self.log_path)]

    def arguments(self) -> list:
        """What the program gets before the port."""
        return [self.origin]

    def start(self):
        self.environment.provide()
        self.servers[0].start()
        return self
