"""A FIDO client for the sandbox: logs in, registers a key, authenticates."""

import json
import os
import unittest

from browser import HTTP  # which puts the tests of sdkctl into the path
from program import shared

try:
    from Servers import fido_uaf as uaf
except ImportError:
    uaf = None

MEDIA = {"Accept": "application/fido+uaf", "Content-Type": "application/fido+uaf;charset=UTF-8"}
JSON_MEDIA = {"Accept": "application/json", "Content-Type": "application/json"}


@unittest.skipUnless(uaf or "CI" in os.environ, "needs python3-cryptography")
class FIDOCase(unittest.TestCase):
    """A test with the shared sandbox, which has forgotten everything before it."""

    def setUp(self):
        shared().reset()


def session_of(answer) -> dict:
    """The cookies that a response sets, as a field of requests."""
    return {"Cookie": "; ".join(line.split(";")[0] for line in answer.all("Set-Cookie"))}


class Device:
    """A person's device with one authenticator."""

    def __init__(self, sandbox, name="alice", password="wonderland", prefix="/nevisfido",
                 **options):
        self.sandbox, self.prefix, self.name = sandbox, prefix, name
        self.http = HTTP(sandbox)
        self.facet = sandbox.issuer
        self.authenticator = uaf.Authenticator(**options)
        answer = self.http.post(
            "/auth/pwd", form={"isiwebuserid": name, "isiwebpasswd": password})
        assert answer.status == 200, answer.text
        self.user, self.login = answer.json["extId"], session_of(answer)

    def post(self, path, document, fields=None, media=None):
        return self.http.post(
            self.prefix + path, document=document, fields={**(media or MEDIA), **(fields or {})})

    # Requests

    def wish(self, operation, **context):
        return {"op": operation, "context": json.dumps({"username": self.user, **context})}

    def request(self, path, operation, fields=None, **context):
        """The messages of a request, of which the first has the highest version."""
        return self.opened(self.post(path, self.wish(operation, **context), fields))

    @staticmethod
    def opened(answer):
        assert answer.status == 200 and answer.json["statusCode"] == 1200, answer.text
        return json.loads(answer.json["uafRequest"])

    def registration(self):
        return self.request("/uaf/1.1/request/registration", "Reg", self.login)[0]

    def authentication(self, **context):
        return self.request("/uaf/1.1/request/authentication", "Auth", **context)[0]

    def parameters(self, request, **changed):
        header = request["header"]
        return uaf.fc_params(
            header["appID"] or self.facet, request["challenge"], self.facet, **changed)

    # Responses

    def send(self, path, messages, **context):
        document = {"uafResponse": json.dumps(messages)}
        if context:
            document["context"] = json.dumps(context)
        return self.post(path, document)

    def register(self, request=None, changes=None, parameters=None, assertion=None, **how):
        """Registers the key; `assertion` replaces elements of it. Returns the response."""
        request = request or self.registration()
        parameters = self.parameters(request, **(parameters or {}))
        made = self.authenticator.register(parameters, assertion, **how)
        return self.send(
            "/uaf/1.1/registration", uaf.response(request, parameters, made, changes))

    def authenticate(self, request=None, changes=None, parameters=None, assertion=None, **how):
        request = request or self.authentication()
        parameters = self.parameters(request, **(parameters or {}))
        made = self.authenticator.authenticate(parameters, changes=assertion, **how)
        return self.send(
            "/uaf/1.1/authentication", uaf.response(request, parameters, made, changes))

    def registered(self):
        assert status(self.register()) == 1200
        return self


def status(answer) -> int:
    """The status of FIDO UAF in a response; anything but 200 in HTTP is an error."""
    assert answer.status == 200, (answer.status, answer.text)
    assert answer.field("Content-Type") == "application/fido+uaf;charset=UTF-8", answer.fields
    return answer.json["statusCode"]
