"""A mail server on aiosmtpd of Debian, whose users log in with access tokens of an OpenID provider:
`/usr/bin/python3 submission.py DIRECTORY PORT CHAIN KEY USERINFO ROOT`.

Each message becomes a file of DIRECTORY, which begins with the mechanism and the user. The user is the `sub` that the
userinfo endpoint names for the token.
"""

import base64
import collections
import itertools
import json
import re
import signal
import ssl
import sys
import urllib.error
import urllib.request
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import MISSING, SMTP, AuthResult

OAUTHBEARER = re.compile(
    "n,a=([^,\\x01]+),\\x01(?:host=localhost\\x01)?(?:port=\\d+\\x01)?auth=Bearer ([^\\x01]+)\\x01\\x01")
XOAUTH2 = re.compile("user=([^\\x01]+)\\x01auth=Bearer ([^\\x01]+)\\x01\\x01")
# The size of a line that tokens need (RFC 4954 section 4).
LINE = 12288


class Wide(SMTP):
    line_length_limit = command_size_limit = LINE
    command_size_limits = collections.defaultdict(lambda: LINE)


class WideController(Controller):
    def factory(self):
        return Wide(self.handler, **self.SMTP_kwargs)


class Handler:
    def __init__(self, directory: Path, userinfo: str, root: str):
        self.directory, self.userinfo = directory, userinfo
        self.context = ssl.create_default_context(cafile=root)
        self.numbers = itertools.count()

    async def auth_OAUTHBEARER(self, server, words):
        return await self.log_in(server, OAUTHBEARER, words)

    async def auth_XOAUTH2(self, server, words):
        return await self.log_in(server, XOAUTH2, words)

    async def log_in(self, server, pattern, words) -> AuthResult:
        # The message stands in the command, or is asked for.
        sent = base64.b64decode(words[1]) if len(words) == 2 else await server.challenge_auth("")
        message = None if sent is MISSING else pattern.fullmatch(sent.decode())
        if message is None or self.user_of(message[2]) != message[1]:
            return AuthResult(success=False, handled=sent is MISSING)
        return AuthResult(success=True, auth_data=f"{words[0]} {message[1]}")

    def user_of(self, token: str):
        request = urllib.request.Request(self.userinfo, headers={"Authorization": f"Bearer {token}"})
        try:
            with urllib.request.urlopen(request, context=self.context) as response:
                return json.load(response)["sub"]
        except urllib.error.HTTPError:
            return None

    async def handle_DATA(self, server, session, envelope):
        path = self.directory / f"{next(self.numbers)}.eml"
        path.write_bytes(f"{session.auth_data}\n".encode() + envelope.content)
        return "250 OK"


def main():
    directory, port, chain, key, userinfo, root = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    WideController(Handler(Path(directory), userinfo, root), hostname="127.0.0.1", port=int(port),
               tls_context=context, require_starttls=True, auth_required=True).start()
    signal.pause()


if __name__ == "__main__":
    main()
