#!/usr/bin/env python3
"""Does what a person does at the pages of the sandbox: `person.py URL`.

Run through $BROWSER; told what to do by its environment:

STAND_CA         the CA file that this browser trusts
STAND_ACTION     accept (the default), cancel-sign-in, cancel-consent, wrong-password, sign-up,
                 forged, nothing, carry and carry-refusal (do not follow to the redirect URI)
STAND_LAST       where to write the address that was not followed
STAND_USER       who signs in; without it, alice
STAND_NOTES      where to write what was seen: one JSON document a page
STAND_URLS       where to write the URL that was opened, one a line
STAND_OPENER     what opens URLs that are not the web's
"""

import html.parser
import json
import os
import re
import sys
import time
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from Servers.client import Client, handed_over, launched  # noqa: E402

PASSWORDS = {"alice": "wonderland", "bob": "builder", "carol": "looking-glass"}
ONE_TIME_CODE = "246810"


class Page(html.parser.HTMLParser):
    """The title, the alert and the forms of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.texts, self.forms, self.links, self._into = {}, {}, [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        if tag == "form":
            self._form = self.forms.setdefault(facts["action"], {})
        elif tag == "input":
            self._form[facts["name"]] = facts.get("value", "")
        elif tag == "a":
            self.links.append(facts["href"])
        self._into = "h1" if tag == "h1" else facts.get("role", self._into)

    def handle_endtag(self, tag):
        self._into = None

    def handle_data(self, text):
        if self._into:
            self.texts[self._into] = self.texts.get(self._into, "") + text


class Person:
    def __init__(self, url: str):
        self.web = Client(os.environ["STAND_CA"])
        self.url = launched(self.web, url)
        self.asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.url).query))
        self.name = os.environ.get("STAND_USER", "alice")

    def accept(self, first_password=None):
        """Signs in and agrees, page by page, until no page asks for anything."""
        page = self._enter()
        while page.forms:
            if "/sign-in" in page.forms:
                password = first_password or PASSWORDS[self.name]
                first_password = None
                page = self._submit(page, "/sign-in", username=self.name, password=password)
            elif "/sign-up" in page.forms:
                page = self._submit(page, "/sign-up", name="Carol", username="carol",
                                    password=PASSWORDS["carol"])
            elif "/one-time-code" in page.forms:
                page = self._submit(page, "/one-time-code", code=ONE_TIME_CODE)
            elif "/consent" in page.forms:
                page = self._submit(page, "/consent", decision="allow")
            elif "/one-time-code" in page.forms:
                page = self._submit(page, "/one-time-code", code="246810")
            else:  # the answer, as a form to be posted
                [action] = page.forms
                page = self._submit(page, action)

    def wrong_password(self):
        self.accept("rabbit hole")

    def cancel_sign_in(self):
        self._submit(self._enter(), "/cancel")

    def cancel_consent(self):
        page = self._submit(self._enter(), "/sign-in", username=self.name,
                            password=PASSWORDS[self.name])
        self._submit(page, "/consent", decision="cancel")

    def sign_up(self):
        """Has no account yet, and finds the link."""
        page = self._visit(self.url)
        [link] = [link for link in page.links if link.startswith("/sign-up")]
        page = self._submit(self._visit(link), "/sign-up", name="Carol", username="carol",
                            password=PASSWORDS["carol"])
        self._submit(page, "/consent", decision="allow")

    def forged(self):
        """Another page tries to end the login with an error of its own."""
        self._visit(self.asked["redirect_uri"] + "?error=access_denied")
        self.accept()

    def carry(self):
        """Agrees in a browser from which the redirect URI cannot be reached."""
        self.accept()

    def carry_refusal(self):
        self.cancel_sign_in()

    def nothing(self):
        """Closes the window."""

    def _enter(self) -> Page:
        """The first page; on another device that is the one on which its code stands already."""
        page = self._visit(self.url)
        return self._submit(page, "/device") if "/device" in page.forms else page

    def _submit(self, page, action, **typed) -> Page:
        form = {**page.forms[action], **typed}
        return self._visit(action, method="POST", form=form)

    def _visit(self, url: str, **keywords) -> Page:
        """Follows redirects and refreshing pages, as a browser does, and notes where it ends."""
        method = keywords.pop("method", "GET")
        for _ in range(30):
            url = self.here = urllib.parse.urljoin(getattr(self, "here", self.url), url)
            if "STAND_LAST" in os.environ and url.startswith("http://127.0.0.1:"):
                Path(os.environ["STAND_LAST"]).write_text(url)
                return Page("")
            if handed_over(url):
                return Page("")
            answer = self.web.request(method, url, **keywords)
            method, keywords = "GET", {}
            refresh = re.search(rb'http-equiv="refresh" content="(\d+)"', answer.body)
            if refresh:
                time.sleep(int(refresh[1]))
            elif "Location" in answer.fields:
                url = answer.fields["Location"]
            else:
                break
        page = Page(answer.body.decode())
        if "STAND_NOTES" in os.environ:
            note = {"url": url, "status": answer.status, "forms": page.forms, **page.texts}
            with open(os.environ["STAND_NOTES"], "a") as notes:
                notes.write(json.dumps(note) + "\n")
        return page


if __name__ == "__main__":
    action = os.environ.get("STAND_ACTION", "accept").replace("-", "_")
    getattr(Person(sys.argv[1]), action)()
