"""Words of a command line that are not UTF-8, long or odd: refused as what they are."""

from Servers.case import Case


class UsageTests(Case):
    def test_invalid_utf8_is_refused_wherever_it_is(self):
        bad = b"\xff\xfe\xc3"
        for line in ([bad], ["token", bad], ["profile", "add", bad], [b"--" + bad], [b"--profile=" + bad, "version"],
                     ["-p", bad, "token"], [b"-" + bad], ["fetch", "-H", b"X: " + bad, "/x"], ["fetch", b"/" + bad],
                     ["profile", "set", b"scope=" + bad], ["pin", "add", "x", "--host", bad]):
            with self.subTest(line):
                self.fails(2, *line)

    def test_long_and_odd_words_are_refused(self):
        for word in ("x" * 100_000, "--" + "x" * 100_000, "-" + "x" * 5000, "\u202e",
                     "\x1b[31m", "é", "--é", "=", "--\n"):
            with self.subTest(word[:20]):
                self.fails(2, word)
