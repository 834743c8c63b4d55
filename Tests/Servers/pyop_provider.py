"""An OpenID provider on pyop, from PyPI, which registers anybody."""

from pathlib import Path

from .process import Server
from .provider import Provider
from .templates import HERE
from .virtual_environment import VirtualEnvironment

ENVIRONMENT = VirtualEnvironment("tests-pyop", HERE / "pyop-requirements.txt")


class Pyop(Provider):
    person = {}

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin
        self.servers = [Server(
            [ENVIRONMENT.program("python"), HERE / "pyop_site.py", self.origin, self.port,
             authority.chain("good"), authority.key("good")], self.port, self.log_path)]

    def start(self):
        ENVIRONMENT.provide()
        self.servers[0].start()
        return self

    def introspect(self, token: str) -> dict:
        said = self.client().get(
            self.origin + "/userinfo", fields={"Authorization": "Bearer " + token})
        return {"active": True, **said.json()} if said.status == 200 else {"active": False}
