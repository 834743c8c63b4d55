"""The pictures of the documents show what the programs print now."""

import re
import unittest

from Pictures import bars, scenes
from Servers.sdkctl import REPOSITORY

FOLDER = REPOSITORY / "docs/pictures"


class PictureTests(unittest.TestCase):
    maxDiff = None

    def assertIs(self, name, picture):
        committed = (FOLDER / f"{name}.svg").read_text()
        self.assertEqual(texts(committed), texts(picture), "run `make pictures`")
        self.assertEqual(committed, picture, "run `make pictures`")

    def test_terminals_show_what_the_commands_print(self):
        for name, picture in scenes.pictures().items():
            with self.subTest(name):
                self.assertIs(name, picture)

    def test_the_bars_have_the_ratios_of_the_document(self):
        self.assertGreater(len(bars.ratios()), 5)
        self.assertIs("performance", bars.draw())

    def test_each_picture_is_shown_by_a_document_and_has_two_colour_schemes(self):
        documents = "".join(path.read_text() for path in (REPOSITORY / "README.md", *(REPOSITORY / "docs").glob("*.md")))
        for path in FOLDER.glob("*.svg"):
            with self.subTest(path.name):
                self.assertIn(f"pictures/{path.name})", documents)
                self.assertIn("prefers-color-scheme:dark", path.read_text())


def texts(picture) -> list:
    return [re.sub("<[^>]*>", "", line) for line in picture.splitlines() if "<text" in line]
