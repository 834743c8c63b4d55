#!/usr/bin/env python3
"""Does what a person does at a provider whose pages are plain forms: `forms.py URL`.

Run through $BROWSER; told what to do by the environment as browser.py is, and by

STAND_USER       who signs in
STAND_PASSWORD   the password of that person
"""

import html.parser
import os
import sys
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from Servers.browser import Person as AnyPerson  # noqa: E402
from Servers.browser import act  # noqa: E402


class Form(html.parser.HTMLParser):
    """The form of a page: what it sends as it stands, where, and its fields and buttons."""

    def __init__(self, text: str):
        super().__init__()
        self.action, self.values, self.kinds, self.buttons = None, {}, {}, []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = facts["action"]
        elif tag == "button" and self.action is not None:
            self.buttons.append(facts)
        elif tag == "input" and "name" in facts:
            kind = facts.get("type", "text")
            if kind != "checkbox":
                self.values[facts["name"]] = facts.get("value", "")
            self.kinds[facts["name"]] = kind

    def asks_for(self, *names) -> list:
        return [name for name, kind in self.kinds.items() if name in names and kind != "hidden"]

    def press(self, kind: str):
        """Presses the consenting button (`positive`, `primary`) or the refusing one (`negative`)."""
        for button in self.buttons:
            if kind in button.get("class", "").split():
                if "name" in button:
                    self.values[button["name"]] = button["value"]
                elif "val" in button:  # LemonLDAP::NG's script does this
                    self.values["confirm"] = button["val"]
                return


class Person(AnyPerson):
    def accept(self):
        self._fill("positive", "primary")

    def deny(self):
        self._fill("negative")

    def _fill(self, *choices):
        """Signs in, chooses at the consent, and goes where the provider sends the browser."""
        url, method, values = self.url, "GET", None
        for _ in range(20):
            answer = self.web.request(method, url, form=values, fields={"Referer": url})
            method, values = "GET", None
            if "Location" in answer.fields:
                url = urllib.parse.urljoin(url, answer.fields["Location"])
                if url.startswith("http://127.0.0.1:"):
                    return self._visit(url)
                continue
            form = Form(answer.body.decode())
            if form.action is None:
                return self._note(url, "GET", answer)
            for name in form.asks_for("user", "login"):
                form.values[name] = os.environ["STAND_USER"]
            for name in form.asks_for("password"):
                form.values[name] = os.environ["STAND_PASSWORD"]
            if not form.asks_for("user", "login", "password"):
                for choice in choices:
                    form.press(choice)
            url, method = urllib.parse.urljoin(url, form.action).partition("#")[0], "POST"
            values = form.values


if __name__ == "__main__":
    act(Person)
