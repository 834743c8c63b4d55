"""The enrolment services with openssl as their client, and where identities are accepted."""

import base64
import subprocess
import unittest

from browser import HTTP
from certificates import EC
from client import Client, basic
from program import folder, shared

ALICE = {"Authorization": basic("alice", "wonderland")}


def openssl(*words, input=None):
    return subprocess.run(["openssl", *words], input=input, check=True, capture_output=True).stdout


class Enrolment(unittest.TestCase):
    def setUp(self):
        self.http, self.key = HTTP(shared()), folder(self) + "/key.pem"

    def request(self, name="alice"):
        return openssl("req", "-newkey", *EC, "-nodes", "-keyout", self.key, "-subj", f"/CN={name}",
                       "-outform", "DER")

    def enrol(self, fields, request=None, path=".well-known/est/simpleenroll",
              kind="application/pkcs10"):
        body = base64.b64encode(request or self.request())
        return self.http.post(f"/{path}", body=body, fields={"Content-Type": kind, **fields})

    def identity(self, message):
        """The files of the identity of alice in a message of PKCS #7."""
        pem = openssl("pkcs7", "-inform", "DER", "-print_certs", input=message)
        self.assertRegex(pem, b"subject=CN ?= ?alice\n")
        with open(self.key + ".pem", "wb") as file:
            file.write(pem)
        return {"certificate": file.name, "key": self.key}

    def test_a_password_or_the_token_of_a_person_is_needed(self):
        client = Client(shared())
        token, own = client.login()["access_token"], client.token("client_credentials").json
        for value, error in (
            (ALICE["Authorization"], None), (f"Bearer {token}", None),
            (f"Bearer {own['access_token']}", "access_denied"), ("Bearer x", "invalid_token"),
            ("", "access_denied"), (basic("alice", "x"), "access_denied"),
        ):
            answer = self.enrol({"Authorization": value})
            self.assertEqual(answer.status, 401 if error else 200, value)
            if error:
                self.assertEqual(answer.json["error"], error)

    def test_requests_that_are_refused(self):
        good, service = self.request(), "certificate-service/request"
        before = shared().status()["enrolments"]
        for how in (
            {"kind": "text/plain"}, {"request": b"x"}, {"request": good[:-1] + b"x"},
            {"path": service, "request": self.request("alice2")},
        ):
            answer = self.enrol(ALICE, **how)
            self.assertEqual((answer.status, answer.json["error"]), (400, "invalid_request"), how)
        self.assertEqual(shared().status()["enrolments"], before)
        self.identity(base64.b64decode(self.enrol(ALICE, path=service).body))

    def test_a_login_in_rounds(self):
        form = {"username": "alice", "password": "wonderland"}
        begun = self.http.post("/SecureLoginServer/slc3/doLogin", form=form)
        own = {"Cookie": begun.field("Set-Cookie").split(";")[0]}
        for code in ("0", "246810"):
            answer = self.http.post(
                "/SecureLoginServer/slc3/doLogin", form={"otp": code}, fields=own)
            self.assertEqual("clientConfig" in answer.json, code == "246810")
        self.identity(self.http.post(
            "/SecureLoginServer/slc2/getCertificate", body=self.request(), fields=own).body)

    def test_an_identity_opens_the_gateways_and_no_other_certificate_does(self):
        identity = self.identity(base64.b64decode(self.enrol(ALICE).body))
        other = shared().certificate("robot")
        ports = {"mutual": shared().facts["mtlsURL"], **shared().status()["gateways"]}
        for name, certificate, status in (
            ("required", identity, 200), ("required12", identity, 200), ("optional", identity, 200),
            ("optional", None, 403), ("mutual", other, 403),
        ):
            http = HTTP(shared(), certificate)
            http.port = int(ports[name].split(":")[-1])
            self.assertEqual(http.get("/resources/identity").status, status, name)
