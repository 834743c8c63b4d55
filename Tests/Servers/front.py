"""nginx in front of the provider and as a resource server, asking for client certificates."""

from pathlib import Path

from .nginx import Nginx

LINES = 30  # of a certificate as PEM, at the most


class Front(Nginx):
    """`any` takes every certificate, or none, and tells the provider; `strict` wants one of the root's."""

    HEADER = "X-Client-Certificate"

    def __init__(self, directory: Path, authority, provider_port: int):
        super().__init__(directory, "any", "strict")
        lines = "".join(rf"(?:(?<line{index}>[^\n-]+)\n)?" for index in range(LINES))
        self.configure(
            "front.conf", '"$request" $status', PROVIDER=provider_port, ROOT=authority.root,
            GOOD=authority.chain("good"), GOODKEY=authority.key("good"),
            PATTERN=rf"-+BEGIN CERTIFICATE-+\n{lines}-+END CERTIFICATE-+\s*",
            LINES=" ".join(f"$line{index}" for index in range(LINES)))
