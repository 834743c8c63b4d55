"""The OpenID provider of django-allauth, from PyPI, which registers anybody."""

from pathlib import Path

from .process import Server
from .provider import Provider
from .templates import HERE
from .virtual_environment import VirtualEnvironment

ENVIRONMENT = VirtualEnvironment("tests-allauth", HERE / "allauth-requirements.txt")


class Allauth(Provider):
    """One person."""

    person = {"STAND_USER": "alice", "STAND_PASSWORD": "wonderland-1865"}

    def __init__(self, directory: Path, authority):
        super().__init__(directory, authority)
        self.issuer = self.origin
        self.servers = [Server(
            [ENVIRONMENT.program("python"), HERE / "allauth_site.py", directory, self.port,
             authority.chain("good"), authority.key("good")], self.port, self.log_path)]

    def start(self):
        ENVIRONMENT.provide()
        self.servers[0].start()
        return self

    def introspect(self, token: str) -> dict:
        """What userinfo says: a client may introspect its own tokens only."""
        metadata = self.client().get(self.issuer + "/.well-known/openid-configuration").json()
        said = self.client().get(
            metadata["userinfo_endpoint"], fields={"Authorization": "Bearer " + token})
        return {"active": True, **said.json()} if said.status == 200 else {"active": False}
