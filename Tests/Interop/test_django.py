"""Logins on pages that we did not write: Django's admin, with CSRF token, session cookie and redirects."""

import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Servers.authority import Authority
from Servers.case import Case
from Servers.process import LogFile, Server, free_port

SITE = Path(__file__).parents[1] / "Servers" / "django_site.py"
PASSWORD = "wonder land-1865"


class DjangoTests(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = tempfile.TemporaryDirectory(prefix="sdkctl-django.")
        cls.addClassCleanup(cls.folder.cleanup)
        directory = Path(cls.folder.name)
        cls.authority = Authority(directory / "authority")
        port = free_port()
        cls.url = f"https://localhost:{port}"
        cls.log = directory / "log"
        server = Server(
            ["/usr/bin/python3", SITE, directory, port, cls.authority.chain("good"),
             cls.authority.key("good")], port, cls.log)
        server.start()
        cls.addClassCleanup(server.stop)

    def setUp(self):
        super().setUp()
        self.add_profile(issuer=self.url, resource=self.url)
        self.ok("profile", "set", f"form.url={self.url}/admin/login/", "form.user=alice",
                "form.cookies=sessionid")

    def add_profile(self, issuer=None, resource=None):
        self.ok("profile", "add", self.home.name, "--issuer", issuer, "--resource-url", resource,
                "--ca-file", self.authority.root, "--pin", "--yes")
        self.ok("profile", "use", self.home.name)

    def store_password(self):
        path = self.home.directory / "password"
        path.write_text(PASSWORD + "\n")
        path.chmod(0o600)
        self.ok("profile", "set", f"form.passwordFile={path}")

    def log_in(self, *words, password=PASSWORD, code=0):
        result = self.home.run("login", "form", "--password-file", "-", *words, input=password + "\n")
        self.assertEqual(result.exit, code, result)
        return result

    def me(self):
        return json.loads(self.ok("fetch", "/me").out)

    def curl(self, *words, given=""):
        return subprocess.run(
            ["curl", "-sS", "--cacert", str(self.authority.root), *words], input=given.encode(),
            capture_output=True, check=True).stdout.decode()

    def sessions(self):
        return json.loads(self.curl(f"{self.url}/sessions"))["sessions"]

    def test_the_session_cookie_opens_a_page_of_the_user(self):
        self.log_in()
        self.assertEqual(self.me()["user"], "alice")
        stored = json.loads(self.home.slot_file().read_text())
        self.assertEqual([cookie["name"] for cookie in stored["cookies"]], ["sessionid"])
        self.assertTrue(stored["cookies"][0]["httpOnly"] and stored["cookies"][0]["expires"])

    def test_all_cookies_are_kept_without_a_list_and_a_post_may_show_the_csrf_token(self):
        self.ok("profile", "unset", "form.cookies")
        self.log_in()
        stored = json.loads(self.home.slot_file().read_text())
        cookies = {cookie["name"]: cookie["value"] for cookie in stored["cookies"]}
        self.assertEqual(sorted(cookies), ["csrftoken", "sessionid"])
        answer = self.ok("fetch", "-X", "POST", "/me", "--param", "a=1", "-H",
                         f"X-CSRFToken: {cookies['csrftoken']}", "-H", f"Referer: {self.url}/")
        self.assertEqual(json.loads(answer.out)["body"], '{"a":"1"}')
        self.fails(12, "fetch", "-X", "POST", "/me", "--param", "a=1")

    def test_a_wrong_password_is_refused_and_not_repeated(self):
        result = self.log_in(password="wrong-word", code=5)
        self.assertIn("the page asks for them again", result.err)
        self.assertNotIn("wrong-word", result.err)
        self.assertFalse(self.home.slot_file().exists())

    def test_curl_gets_in_with_the_cookie_jar(self):
        self.log_in()
        jar = self.ok("token", "--cookie-jar").text
        self.assertEqual(
            json.loads(self.curl("-b", "-", f"{self.url}/me", given=jar))["user"], "alice")
        self.assertEqual(self.curl("-o", "/dev/null", "-w", "%{http_code}", f"{self.url}/me"), "302")

    def test_a_redirect_to_the_login_page_is_a_refusal_that_a_stored_password_answers(self):
        self.log_in()
        first = json.loads(self.home.slot_file().read_text())["cookies"][0]["value"]
        self.curl(f"{self.url}/end-sessions")
        result = self.fails(4, "fetch", "/me")
        self.assertEqual(result.out, b"")
        self.assertIn("login form", result.hint)
        self.store_password()
        self.assertEqual(self.me()["user"], "alice")
        self.assertNotEqual(
            json.loads(self.home.slot_file().read_text())["cookies"][0]["value"], first)

    def test_a_login_page_with_status_200_in_place_of_a_resource_is_a_refusal(self):
        self.log_in()
        self.assertEqual(json.loads(self.ok("fetch", "/page").out)["user"], "alice")
        self.curl(f"{self.url}/end-sessions")
        self.assertIn(b"csrfmiddlewaretoken", self.ok("fetch", "/page").out)
        self.ok("profile", "set", 'form.pageText=name="username"')
        kept = self.home.directory / "kept"
        kept.write_text("old")
        for words in ([], ["-o", kept], ["--compressed"], ["--json"]):
            with self.subTest(words):
                result = self.fails(4, "fetch", "/page", *words)
                self.assertEqual(result.out, b"")
        self.assertEqual(kept.read_text(), "old")
        batch = self.home.run("fetch", "--batch", "-", input='{"path":"/page"}\n')
        self.assertEqual((batch.exit, json.loads(batch.out)["exit"]), (4, 4))
        self.store_password()
        self.ok("fetch", "/page", "-o", kept)
        self.assertEqual(json.loads(kept.read_text())["user"], "alice")
        self.curl(f"{self.url}/end-sessions")
        batch = self.ok("fetch", "--batch", "-", input='{"path":"/page"}\n' * 3)
        self.assertEqual([json.loads(line)["exit"] for line in batch.out.splitlines()], [0] * 3)

    def test_many_processes_whose_session_has_ended_log_in_once(self):
        self.store_password()
        self.log_in()
        self.curl(f"{self.url}/end-sessions")
        log = LogFile(self.log)
        with ThreadPoolExecutor(6) as pool:
            results = list(pool.map(lambda _: self.home.run("fetch", "/me"), range(6)))
        self.assertEqual([result.exit for result in results], [0] * 6, results)
        self.assertEqual(log.count("POST /admin/login/"), 1)

    def test_reauthenticate_none_delivers_the_page(self):
        self.log_in()
        self.ok("profile", "set", "reauthenticate=none")
        self.curl(f"{self.url}/end-sessions")
        self.assertIn(b"csrfmiddlewaretoken", self.ok("fetch", "/me").out)

    def test_logout_ends_the_session_at_the_server(self):
        self.ok("profile", "set", f"form.logoutURL={self.url}/admin/logout/")
        self.curl(f"{self.url}/end-sessions")
        self.log_in()
        jar = self.ok("token", "--cookie-jar").text
        self.assertEqual(self.sessions(), 1)
        result = self.ok("logout", "--json")
        self.assertEqual(
            [(step["step"], step["outcome"]) for step in json.loads(result.out)["steps"]],
            [("erase", "done"), ("end_session", "done")])
        self.assertEqual(self.sessions(), 0)
        self.assertEqual(
            self.curl("-o", "/dev/null", "-w", "%{http_code}", "-b", "-", f"{self.url}/me",
                      given=jar), "302")

    def test_a_form_that_is_sent_as_multipart_relative_to_a_base_with_the_first_button(self):
        self.ok("profile", "set", f"form.url={self.url}/multipart/")
        self.log_in()
        self.assertEqual(self.me()["user"], "alice")

    def test_a_trace_has_no_secret_of_the_login(self):
        self.ok("profile", "unset", "form.cookies")
        trace = self.home.directory / "trace"
        self.log_in("--trace", trace)
        text = trace.read_text()
        self.assertIn("> username = alice", text)
        self.assertIn("> csrfmiddlewaretoken = ‹redacted›", text)
        stored = json.loads(self.home.slot_file().read_text())
        for secret in [PASSWORD, *(cookie["value"] for cookie in stored["cookies"])]:
            self.assertNotIn(secret, text)
        self.assertNotRegex(text, r'name="csrfmiddlewaretoken" value="[A-Za-z0-9]')
