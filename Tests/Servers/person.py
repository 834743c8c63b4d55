#!/usr/bin/env python3
"""Does what a person with a browser does at the pages of a provider: `person.py URL`.

`person.py --serve PIPE` forks a person for each script of a browser that writes its process id into
the pipe: see Home.use_browser. No interpreter begins anew for it.

Run through $BROWSER; told what to do by its environment:

STAND_CA         the CA file that this browser trusts
STAND_ACTION     accept (the default), cancel-sign-in, cancel-consent, nothing
STAND_LAST       where to write the redirect URI, which is then not opened
STAND_USER       who signs in; without it, alice
STAND_PASSWORD   the password of that person; without it, that of the sandbox
STAND_COOKIES    the file of this browser's cookies; without it, each start knows none
STAND_NOTES      where to write what was seen: one JSON document a page
STAND_URLS       where to write the URL that was opened, one a line
STAND_OPENER     what opens URLs that are not the web's
"""

import json
import os
import select
import signal
import subprocess
import sys
import time
import traceback
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from Servers.client import Client  # noqa: E402
from Servers.pages import Browser  # noqa: E402

PASSWORDS = {"alice": "wonderland", "bob": "builder", "carol": "looking-glass"}
ALLOW, CANCEL = ("allow", "positive", "primary", "grant"), ("cancel", "negative")  # buttons of consents


class Person(Browser):
    def __init__(self, url: str):
        super().__init__(Client(os.environ["STAND_CA"], os.environ.get("STAND_COOKIES")))
        self.url = self._launched(url)
        self.asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.url).query))
        self.callback = self.asked.get("redirect_uri", "")  # a signed request holds it
        self.name = os.environ.get("STAND_USER", "alice")

    # What may be asked of it

    def accept(self):
        self._begin()
        self._fill_in(ALLOW)

    def cancel_consent(self):
        if self._is_at_glewlwyd:
            return self._return(error="access_denied", error_description="The person said no",
                                state=self.asked["state"])
        self._begin()
        self._fill_in(CANCEL)

    def cancel_sign_in(self):
        self._begin().submit("/cancel")

    def nothing(self):
        """Closes the window."""

    # How it does that

    def _begin(self):
        """The first page that asks for something.

        The pages of Glewlwyd are scripts, so what they send is sent here. On another device the first
        page is the one that has its code already.
        """
        if self._is_at_glewlwyd:
            base = self.url.partition("/api/")[0].rstrip("/")
            for method, path, document in (
                    ("POST", "/api/auth/", {"username": "alice", "password": "correct horse"}),
                    ("PUT", "/api/auth/grant/" + self.asked["client_id"],
                     {"scope": self.asked["scope"]})):
                answer = self.web.request(method, base + path, json_body=document)
                assert answer.status == 200, answer
            return self.open(self.url + "&g_continue")
        self.open(self.url)
        return self.submit("/device") if "/device" in self.page.forms else self

    @property
    def _is_at_glewlwyd(self) -> bool:
        return "/api/" in urllib.parse.urlsplit(self.url).path

    def _fill_in(self, choice):
        """Fills in the first form of each page, until no page has one."""
        for _ in range(20):
            if not self.page.forms:
                return
            [action, form], *_ = self.page.forms.items()
            self.submit(action, **(self._typed(form) or form.pressed(*choice)))
        raise RuntimeError(f"no end of pages: {self.address}")

    def _typed(self, form) -> dict:
        if "name" in form.asked:  # an account for somebody new
            self.name = "carol"
        password = os.environ.get("STAND_PASSWORD") or PASSWORDS.get(self.name)
        typed = {"name": "Carol", "username": self.name, "user": self.name, "login": self.name,
                 "password": password, "code": "246810"}
        return {name: text for name, text in typed.items() if name in form.asked}

    def _return(self, **query):
        self.open(self.callback + "?" + urllib.parse.urlencode(query))

    def _launched(self, url: str) -> str:
        """Where a browser is sent that was started with this URL; each leads there once."""
        if "/start/" in url:
            answer = self.web.get(url)
            if answer.status != 302:
                raise RuntimeError(f"{url}: {answer}")
            url = answer.fields["Location"]
        if "STAND_URLS" in os.environ:
            with open(os.environ["STAND_URLS"], "a") as urls:
                urls.write(url + "\n")
        return url

    def leaves(self, url) -> bool:
        if "STAND_LAST" in os.environ and url.startswith("http://127.0.0.1:"):
            Path(os.environ["STAND_LAST"]).write_text(url)
            return True
        if url.startswith(("http://", "https://")):
            return False
        subprocess.run([os.environ["STAND_OPENER"], url], check=False, timeout=30)
        return True

    def open(self, url, method="GET", form=None, **fields):
        """Opens an address, and notes where that ends."""
        super().open(url, method, form, **fields)
        if "STAND_NOTES" in os.environ and self.answer:
            forms = {action: form.values for action, form in self.page.forms.items()}
            note = {"url": self.address, "status": self.answer.status, "forms": forms,
                    "fields": {name.lower(): value for name, value in self.answer.fields.items()},
                    "body": self.answer.text, **self.page.texts}
            with open(os.environ["STAND_NOTES"], "a") as notes:
                notes.write(json.dumps(note) + "\n")
        return self


def act(url):
    action = os.environ.get("STAND_ACTION", "accept").replace("-", "_")
    getattr(Person(url), action)()


def serve(pipe):
    """Serves until standard input ends, with the process that has begun this one."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    requests = os.open(pipe, os.O_RDWR)
    while True:
        ready, _, _ = select.select([requests, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        for script in os.read(requests, 4096).split():
            if os.fork() == 0:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                stand_in(Path("/proc", script.decode()))
                os._exit(0)


def stand_in(process: Path):
    """Acts with the arguments and in the environment of a script, and tells it how that ended."""
    status = 1
    try:
        _, script, url, *_ = (process / "cmdline").read_text().split("\0")
        script = Path(script)
        os.chdir(process / "cwd")
        os.dup2(os.open(script.with_name("browser-errors"), os.O_CREAT | os.O_APPEND | os.O_WRONLY), 2)
        variables = (process / "environ").read_text().split("\0")
        os.environ.clear()
        os.environ.update(text.split("=", 1) for text in variables if "=" in text)
        os.environ.update(json.loads(script.with_name("browser-settings").read_text()))
        act(url)
        status = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    for _ in range(500):  # the script may not wait yet, or may be gone
        try:
            reply = os.open(script.with_name(f"browser-reply.{process.name}"), os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.01)
        else:
            os.write(reply, b"%d\n" % status)
            return


if __name__ == "__main__":
    serve(sys.argv[2]) if sys.argv[1] == "--serve" else act(sys.argv[1])
