#!/usr/bin/env python3
"""Does what a person with a browser does at the provider's pages: `browser.py URL`.

Run through $BROWSER; told what to do by its environment:

STAND_CA         the CA file that this browser trusts
STAND_ACTION     accept (the default), deny, nothing, forged, favicon, other-path, twice
STAND_SCOPE      what the person consents to; without it, what was asked for
STAND_NOTES      where to write what the loopback page said: one JSON document a line
STAND_URLS       where to write the URL that was opened, one a line
STAND_OPENER     what opens URLs that are not the web's
"""

import json
import os
import re
import sys
import time
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from Servers.client import Client, handed_over, launched  # noqa: E402


class Person:
    def __init__(self, url: str):
        self.web = Client(os.environ["STAND_CA"])
        self.url = launched(self.web, url)
        self.asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.url).query))
        self.callback = self.asked.get("redirect_uri")  # a signed request holds it

    def accept(self):
        self._visit(*self._consent(os.environ.get("STAND_SCOPE", self.asked["scope"])))

    def deny(self):
        self._arrive(error="access_denied", error_description="The person said no",
                     state=self.asked["state"])

    def nothing(self):
        """Closes the window."""

    def forged(self):
        """Another page tries to end the login with codes and errors of its own."""
        for forgery in ({"code": "stolen", "state": "guessed"}, {"error": "access_denied"},
                        {"error": "access_denied", "state": ""}, {"code": "stolen"}):
            self._visit(self.callback + "?" + urllib.parse.urlencode(forgery))
        self.accept()

    def favicon(self):
        self._visit(urllib.parse.urljoin(self.callback, "/favicon.ico"))
        self.accept()

    def other_path(self):
        """A request with the right state to a wrong path, and with a wrong method."""
        query = urllib.parse.urlencode({"code": "c", "state": self.asked["state"]})
        self._visit(f"{self.callback}/more?{query}")
        self._visit(f"{self.callback}?{query}", method="POST")
        self.accept()

    def twice(self):
        """Reloads the page."""
        target = self._consent(self.asked["scope"])
        self._visit(*target)
        try:
            self._visit(*target)
        except OSError:
            pass  # the listener may be gone by now

    def _consent(self, scope: str) -> tuple:
        """Signs in as alice, grants, and answers where the provider sends the browser.

        That is an address, or the address, method and content of a form.
        """
        base = self.url.split("/api/")[0].rstrip("/")
        if "/api/" not in self.url:  # the hostile origin has no sign-in page
            return self.web.get(self.url).fields["Location"],
        signed_in = self.web.post(base + "/api/auth/", json_body={
            "username": "alice", "password": "correct horse"})
        assert signed_in.status == 200, signed_in
        granted = self.web.put(base + "/api/auth/grant/" + self.asked["client_id"],
                               json_body={"scope": scope})
        assert granted.status == 200, granted
        answer = self.web.get(self.url + "&g_continue")
        if answer.status == 302:
            return answer.fields["Location"],
        page = answer.body.decode()
        inputs = re.findall(r'name="([^"]*)" value="([^"]*)"', page)
        return re.search(r'action="([^"]*)"', page)[1], "POST", dict(inputs)

    def _arrive(self, **query):
        self._visit(self.callback + "?" + urllib.parse.urlencode(query))

    def _visit(self, url: str, method="GET", form=None):
        if handed_over(url):
            return
        answer = self.web.request(method, url, form=form)
        for _ in range(20):  # as a browser follows redirects and refreshing pages
            refresh = re.search(rb'http-equiv="refresh" content="(\d+)"', answer.body)
            if refresh:
                time.sleep(int(refresh[1]))
            target = url if refresh else answer.fields.get("Location")
            if target is None:
                break
            url = urllib.parse.urljoin(url, target)
            answer = self.web.get(url)
        self._note(url, method, answer)

    def _note(self, url, method, answer):
        """Writes down where the browser ended."""
        if "STAND_NOTES" in os.environ:
            note = {"url": url, "method": method, "status": answer.status,
                    "fields": {name.lower(): value for name, value in answer.fields.items()},
                    "body": answer.body.decode(errors="replace")}
            with open(os.environ["STAND_NOTES"], "a") as notes:
                notes.write(json.dumps(note) + "\n")


def act(person):
    action = os.environ.get("STAND_ACTION", "accept").replace("-", "_")
    getattr(person(sys.argv[1]), action)()


if __name__ == "__main__":
    act(Person)
