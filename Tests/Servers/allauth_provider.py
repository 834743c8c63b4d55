"""The OpenID provider of django-allauth, from PyPI, which registers anybody."""

from .python_provider import PythonProvider
from .virtual_environment import VirtualEnvironment


class Allauth(PythonProvider):
    """One person."""

    person = {"STAND_USER": "alice", "STAND_PASSWORD": "wonderland-1865"}
    environment = VirtualEnvironment("allauth")
    program = "allauth_site.py"

    def arguments(self) -> list:
        return [self.directory]

    def introspect(self, token: str) -> dict:
        """What userinfo says: a client may introspect its own tokens only."""
        metadata = self.client().get(self.issuer + "/.well-known/openid-configuration").json()
        return self.userinfo(token, metadata["userinfo_endpoint"])
