"""Pages as a person sees them, and a browser that goes from one to the next."""

import html.parser
import re
import time
import urllib.parse


class Form:
    """`values` are sent as they stand; `asked` are the fields that a person fills in."""

    def __init__(self, action, method):
        self.action, self.method = action, method
        self.values, self.asked, self.buttons = {}, [], []

    def pressed(self, *words) -> dict:
        """What the first button adds whose value or class is one of these words."""
        for button in self.buttons:
            if {button.get("value"), *button.get("class", "").split()} & set(words):
                if "val" in button:  # LemonLDAP::NG's script does this
                    return {"confirm": button["val"]}
                return {button["name"]: button["value"]} if "name" in button else {}
        return {}


class Page(html.parser.HTMLParser):
    """The title, the alert, the links and the forms of a page; the forms by their actions."""

    def __init__(self, text: str):
        super().__init__()
        self.texts, self.forms, self.links, self._form, self._into = {}, {}, [], None, None
        self.feed(text)

    title = property(lambda self: self.texts.get("h1", ""))
    alert = property(lambda self: self.texts.get("alert", ""))

    def form(self, action) -> Form:
        return self.forms[action]

    def handle_starttag(self, tag, attributes):
        facts = dict(attributes)
        if tag == "form":
            action = facts.get("action", "")
            self._form = Form(action, facts.get("method", "get"))
            self.forms.setdefault(action.partition("?")[0], self._form)
        elif tag == "button" and self._form:
            self._form.buttons.append(facts)
        elif tag == "input" and self._form and "name" in facts:
            kind = facts.get("type", "text")
            if kind != "checkbox" or "checked" in facts:
                self._form.values[facts["name"]] = facts.get("value", "")
            if kind != "hidden":
                self._form.asked.append(facts["name"])
        elif tag == "a" and "href" in facts:
            self.links.append(facts["href"])
        self._into = "h1" if tag == "h1" else facts.get("role", self._into)

    def handle_endtag(self, tag):
        if tag == "form":
            self._form = None
        self._into = None

    def handle_data(self, text):
        if self._into:
            self.texts[self._into] = self.texts.get(self._into, "") + text


class Browser:
    """Keeps cookies, follows redirects and refreshing pages, fills in forms."""

    def __init__(self, web, address=""):
        self.web, self.address, self.answer, self.page = web, address, None, Page("")
        self.visited = []

    def leaves(self, url) -> bool:
        """Whether this address is not opened by the browser itself."""
        return False

    def target(self, answer):
        """Where a response leads."""
        return answer.fields["Location"]

    def open(self, url, method="GET", form=None, **fields):
        for _ in range(30):
            url = self.address = urllib.parse.urljoin(self.address, url)
            self.visited.append(url)
            if self.leaves(url):
                self.answer, self.page = None, Page("")
                return self
            self.answer = self.web.request(method, url, form=form, fields=fields)
            method, form, fields = "GET", None, {}
            if refresh := re.search(rb'http-equiv="refresh" content="(\d+)"', self.answer.body):
                time.sleep(int(refresh[1]))
            elif target := self.target(self.answer):
                url = target
            else:
                self.page = Page(self.answer.text)
                return self
        raise RuntimeError("too many redirects")

    def submit(self, action, /, **typed):
        form = self.page.form(action)
        return self.open(form.action, form.method.upper(), {**form.values, **typed}, Referer=self.address)
