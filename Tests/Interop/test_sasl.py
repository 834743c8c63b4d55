"""`token --sasl` at Dovecot, which asks Glewlwyd about the token."""

import base64
import os
import shutil
import tempfile
from pathlib import Path

from Servers.case import Case
from Servers.dovecot import Dovecot


class SASLTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        # The processes of Dovecot have users of their own, which must reach its files.
        directory = Path(tempfile.mkdtemp(prefix="sdkctl-dovecot."))
        os.chmod(directory, 0o755)
        self.addCleanup(shutil.rmtree, directory, ignore_errors=True)
        provider = self.stand.provider
        self.dovecot = Dovecot(directory / "dovecot", self.stand.authority,
                               provider.metadata(provider.issuer)["userinfo_endpoint"])
        self.dovecot.start()
        self.addCleanup(self.dovecot.stop)
        self.user = self.ok("token", "userinfo", "--field", "sub").text.strip()

    def message(self, *words, user=None) -> str:
        return self.ok("token", "--sasl", user or self.user, *words).text.strip()

    def test_both_mechanisms_log_in(self):
        for mechanism, words in (
                ("OAUTHBEARER", []),
                ("OAUTHBEARER", ["--sasl-server", f"localhost:{self.dovecot.port}"]),
                ("XOAUTH2", ["--sasl-mechanism", "xoauth2"])):
            with self.subTest(mechanism, words=words):
                self.assertEqual(self.dovecot.log_in(mechanism, self.message(*words)), "OK")

    def test_another_user_another_token_and_another_mechanism_are_refused(self):
        wrong = base64.b64encode(
            f"n,a={self.user},\1auth=Bearer no-such-token\1\1".encode()).decode()
        for mechanism, message in (("OAUTHBEARER", self.message(user="bob")), ("OAUTHBEARER", wrong),
                                   ("XOAUTH2", self.message())):
            with self.subTest(mechanism):
                self.assertNotEqual(self.dovecot.log_in(mechanism, message), "OK")
