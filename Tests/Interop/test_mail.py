"""The recipes of docs/scripting.md for mbsync and msmtp, at Dovecot and at a mail server on aiosmtpd."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from Servers.case import Case
from Servers.dovecot import Dovecot
from Servers.process import Server, free_port
from Servers.sdkctl import REPOSITORY

PAGE = REPOSITORY / "docs/scripting.md"
SUBMISSION = REPOSITORY / "Tests/Servers/submission.py"
MAIL = "From: bob@example.com\nTo: alice@example.com\nSubject: greetings\n\nhello\n"


class MailCase(Case):
    def setUp(self):
        super().setUp()
        self.add_session()
        # The processes of Dovecot have users of their own, which must reach its files.
        self.directory = Path(tempfile.mkdtemp(prefix="sdkctl-mail."))
        self.directory.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        provider = self.stand.provider
        self.userinfo = provider.metadata(provider.issuer)["userinfo_endpoint"]
        self.user = self.ok("token", "userinfo", "--field", "sub").text.strip()

    def recipe(self, start: str) -> str:
        """The recipe of the page that begins so, for this user and this profile."""
        text = re.search(rf"^```text\n({start}.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)[1]
        values = {"alice@example.com": self.user, "-p mail": f"-p {self.home.name}",
                  r"(imap|smtp)\.example\.com": "localhost"}
        for pattern, value in values.items():
            text, count = re.subn(pattern, value, text)
            self.assertTrue(count, pattern)
        return text

    def program(self, *words, text=None) -> subprocess.CompletedProcess:
        return subprocess.run([*map(str, words)], env=self.home.environment, cwd=self.home.directory,
                              input=text, capture_output=True, text=True, timeout=60)


class FetchingTests(MailCase):
    def setUp(self):
        super().setUp()
        self.dovecot = Dovecot(self.directory / "dovecot", self.stand.authority, self.userinfo)
        self.dovecot.start()
        self.addCleanup(self.dovecot.stop)
        account = self.recipe("IMAPAccount").replace(
            "Host localhost\n", f"Host localhost\nPort {self.dovecot.port}\nSystemCertificates no\n"
            f"CertificateFile {self.stand.ca_file}\n")
        self.copy = self.home.directory / "copy"
        self.copy.mkdir()
        self.settings = self.write("mbsyncrc", f"""{account}
IMAPStore far
Account work

MaildirStore near
Path {self.copy}/
Inbox {self.copy}/INBOX

Channel mail
Far :far:
Near :near:
Create Near
SyncState *
""")

    def sync(self) -> subprocess.CompletedProcess:
        return self.program("mbsync", "-c", self.settings, "mail")

    def put(self, name):
        box = self.directory / "dovecot/mail/box"
        for folder in ("cur", "new", "tmp"):
            (box / folder).mkdir(parents=True, exist_ok=True)
        (box / "new" / name).write_text(MAIL)
        for path in (box, *box.rglob("*")):
            shutil.chown(path, "nobody", "nogroup")

    def mails(self) -> int:
        return sum("hello" in path.read_text() for path in (self.copy / "INBOX").glob("*/*") if path.is_file())

    def test_mbsync_fetches_mail_and_a_new_token_when_the_old_one_has_expired(self):
        self.put("1.first")
        done = self.sync()
        self.assertEqual((done.returncode, self.mails()), (0, 1), done)
        self.home.expire()
        self.put("2.second")
        done = self.sync()
        self.assertEqual((done.returncode, self.mails()), (0, 2), done)

    def test_mbsync_gets_nothing_without_a_login(self):
        self.put("1.first")
        self.ok("logout")
        done = self.sync()
        self.assertNotEqual(done.returncode, 0, done)
        self.assertIn("sdkctl: error: ", done.stderr)
        self.assertEqual(self.mails(), 0)


class SendingTests(MailCase):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.mails = self.directory / "mails"
        self.mails.mkdir()
        authority = self.stand.authority
        server = Server(
            ["/usr/bin/python3", SUBMISSION, self.mails, self.port, authority.chain("good"), authority.key("good"),
             self.userinfo, authority.root], self.port, self.directory / "submission.out").start()
        self.addCleanup(server.stop)

    def send(self, mechanism="oauthbearer") -> subprocess.CompletedProcess:
        text = self.recipe("account work").replace("auth oauthbearer\n", f"auth {mechanism}\n")
        text = re.sub(r"^port 587$", f"port {self.port}\ntls_trust_file {self.stand.ca_file}", text,
                      flags=re.MULTILINE)
        settings = self.write("msmtprc", text)
        return self.program("msmtp", "-C", settings, "-a", "work", "bob@example.com", text=MAIL)

    def sent(self) -> list:
        return [path.read_text() for path in sorted(self.mails.iterdir())]

    def test_msmtp_logs_in_with_both_mechanisms(self):
        for number, mechanism in enumerate(("oauthbearer", "xoauth2")):
            with self.subTest(mechanism):
                done = self.send(mechanism)
                self.assertEqual(done.returncode, 0, done)
                self.assertTrue(self.sent()[number].startswith(f"{mechanism.upper()} {self.user}\n"), self.sent())
                self.assertIn("hello", self.sent()[number])

    def test_msmtp_sends_nothing_with_a_token_that_is_refused_or_without_one(self):
        self.revoke_access(self.ok("token").text.strip())
        self.assertNotEqual(self.send().returncode, 0)
        self.ok("logout")
        done = self.send()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("sdkctl: error: ", done.stderr)
        self.assertEqual(self.sent(), [])
