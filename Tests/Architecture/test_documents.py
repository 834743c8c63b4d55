"""What the documents name is there."""

import re
import subprocess
import unittest
from collections import defaultdict

from Architecture.tree import ROOT, paths, sources, text

FOLDERS = {"Sources", "Tests", "man", "completions", "docs", ".ci"}
KINDS = r"\b(?:struct|class|enum|protocol|actor|typealias|extension) +(\w+)"


def exists(name):
    return (ROOT / name).exists()


def quoted(document):
    return document.split("`")[1::2]


def links(document):
    """The targets of links within the tree."""
    targets = (target.split("#")[0] for target in re.findall(r"\]\(([^)]*)\)", document))
    return [target for target in targets if target and "://" not in target]


def tree_paths(document):
    """What stands in code quotes and looks like a path of this tree."""
    found = []
    for word in quoted(document):
        parts = [part for part in word.split("/") if part]
        if not re.fullmatch(r"(?!/)[\w/.+-]+", word) or any(
                part == ".build" or re.fullmatch("[A-Z]{2,}", part) for part in parts):
            continue
        if (parts[0] in FOLDERS and len(parts) > 1 or word.endswith(".swift")
                or word.endswith("/") and parts[0][0].isupper()):
            found.append(word)
    return found


def type_names(document):
    """What stands in code quotes and looks like a type, or a type and its member."""
    modules = {path.split("/")[1] for path in paths("Sources")} | {
        "Glibc", "Foundation", "Synchronization"}
    return [word for word in quoted(document)
            if re.fullmatch(r"[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(\.[A-Za-z0-9]+)?", word)
            and word.split(".")[0] not in modules and not word.endswith((".swift", ".md"))]


class DocumentTests(unittest.TestCase):
    def test_they_name_no_file_that_does_not_exist(self):
        everything = paths("Sources") + paths("Tests")
        for document in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "Tests/README.md"):
            for path in links(text(document)):
                self.assertTrue(exists(path), f"{document} links to {path}")
            for path in tree_paths(text(document)):
                # A name without its folder is one that the prose stands in.
                name = path.rstrip("/")
                is_there = exists(name) or any(
                    f"/{name}/" in other or other.endswith(f"/{name}") for other in everything)
                self.assertTrue(is_there, f"{document} names {path}")

    def test_links_and_paths_are_found(self):
        document = ("See [it](A.md#b), [there](https://a.test/x.md) and `Sources/A/B.swift`, `C/`, `D.swift`;"
                    "`sdkctl fetch /me`, `Sources/NOUN/V.swift`, `man/x-*.1`, `.build/x`, `a/b`, `Tests/X`.")
        self.assertEqual(links(document), ["A.md"])
        self.assertEqual(tree_paths(document), ["Sources/A/B.swift", "C/", "D.swift", "Tests/X"])

    def test_the_architecture_names_no_type_and_no_member_that_does_not_exist(self):
        names = type_names(text("ARCHITECTURE.md"))
        self.assertGreater(len(names), 25)
        for name in names:
            self.assertTrue(self.is_declared(name), name)
        self.assertEqual(type_names("`Fetch.run`, `Gate`, `SIGPIPE`, `POSIX`, `Sources/Curl`, `a`, `Gate.x y`, "
                                    "`Globals.swift`"), ["Fetch.run", "Gate"])
        self.assertTrue(self.is_declared("Launch.main"))
        self.assertFalse(self.is_declared("Launch.noSuchMember") or self.is_declared("NoSuchType"))

    @staticmethod
    def is_declared(name):
        """Whether the sources declare a type, and the member in a file that declares or extends it."""
        kind, _, member = name.partition(".")
        for file in sources():
            document = "\n".join(file.lines)
            if kind in re.findall(KINDS, document) and (
                    not member or re.search(rf"\b(?:func|var|let|case) +{member}\b", document)):
                return True
        return False

    def test_the_samples_of_the_guide_are_in_files_that_are_compiled(self):
        """But for the two of Package.swift; where a line is broken does not count."""
        files = ["".join(text(path).split()) for path in paths("Examples") if path.endswith(".swift")]
        samples = re.findall(r"```swift\n(.*?)```", text("docs/library.md"), re.DOTALL)
        self.assertGreater(len(samples), 10)
        for sample in samples:
            if "import PackageDescription" not in sample and not sample.startswith(".product("):
                self.assertTrue(any("".join(sample.split()) in file for file in files), sample)


class MakefileTests(unittest.TestCase):
    def test_packages_are_installed_before_anything_is_built(self):
        for target in ("check", "test", "demo", "bench", "bench-check", "coverage"):
            with self.subTest(target):
                lines = subprocess.run(["make", "-n", target], cwd=ROOT, check=True, text=True,
                                       capture_output=True).stdout.splitlines()
                first = next(line for line in lines if line.startswith(("swift build", "Tests/")))
                self.assertTrue(first.startswith("Tests/install-packages build"), first)


class CommandFileTests(unittest.TestCase):
    """Whoever knows the name of a command finds its file, its test and its manual page."""

    def test_a_command_has_a_file_a_test_and_a_page_that_its_words_name(self):
        pages = [path for path in paths("man") if re.fullmatch(r"man/sdkctl[^/]*\.1", path)]
        names = re.findall(r"^\.Cm (.*)$", "\n".join(map(text, pages)), re.MULTILINE)
        commands = {name.replace("\\", "") for name in names}
        self.assertGreater(len(commands), 60)
        for command in commands:
            words = command.split()
            noun, name = (part.replace("-", "") for part in (words[0], "".join(words)))
            files = self.named(f"{name}.swift", "Sources/Commands")
            self.assertEqual(len(files), 1, command)
            self.assertRegex(files[0], rf"^sources/commands/{noun}(/|\.swift)")
            tests = self.named(f"{name}tests.swift", "Tests/CommandsTests")
            scripts = exists(f"Tests/Scripts/{words[0]}/{'-'.join(words[1:] or words)}.txt")
            self.assertTrue(tests == [f"tests/commandstests/{noun}/{name}tests.swift"]
                            or not tests and scripts, command)
            self.assertTrue(exists(f"man/sdkctl-{'-'.join(words)}.1"), command)

    @staticmethod
    def named(name, folder):
        """The files of that name in lower case: acronyms have other capitals than words."""
        return [path.lower() for path in paths(folder) if path.lower().endswith(f"/{name}")]


class VendorTableTests(unittest.TestCase):
    """The tables of docs/vendors.md that name a symbol of the library, a command and a test."""

    @classmethod
    def setUpClass(cls):
        cls.declaring, cls.publishing = defaultdict(list), defaultdict(list)
        for file in sources():
            lines = [line for line in file.lines if re.search(KINDS, line)]
            for name in {name for line in lines for name in re.findall(KINDS, line)}:
                cls.declaring[name].append(file)
            for name in {name for line in lines if "public" in line.split()
                         for name in re.findall(KINDS, line)}:
                cls.publishing[name].append(file)
        cls.pages = [text(path) for path in paths("man")]

    def test_each_row_names_a_symbol_a_command_and_a_test_that_exist(self):
        rows = self.rows(text("docs/vendors.md"))
        self.assertGreater(len(rows), 25)
        for row in rows:
            _, library, command, test = row
            self.assertFalse({library, command, test} & {"–", ""}, row)
            for name in quoted(library):
                if name[:1].isupper() and name.count(".") < 2:
                    self.assertTrue(self.is_public(name), f"{name} in: {row}")
            for name in quoted(command):
                self.assertTrue(self.is_command(name), f"{name} in: {row}")
            self.assertTrue(quoted(test), row)
            for name in quoted(test):
                self.assertTrue(self.is_test(name), f"{name} in: {row}")

    def test_names_that_do_not_exist_are_found(self):
        table = "| a | library | command | test |\n|---|---|---|---|\n| x | `A.b` | `c` | `D` |\n\n| 1 | 2 |\n"
        self.assertEqual(self.rows(table), [["x", "`A.b`", "`c`", "`D`"]])
        for check, good, bad in (
                (self.is_public, ("UserClient.send", "RequestObserver.reauthenticate"),
                 ("UserClient.noSuch", "NoSuchType", "OneginiConfiguration", "Profile.ownEndpoint")),
                (self.is_command, ("fetch METHOD PATH --param", "form.page=false"),
                 ("fetch --no-such", "none.such=1", "nosuch")),
                (self.is_test, ("ReauthenticationTests", "test_fetch.py"),
                 ("NoSuchTests", "Tests/test_none.py"))):
            self.assertEqual([name for name in (*good, *bad) if check(name)], list(good))

    @staticmethod
    def rows(document):
        """The rows of tables whose last three columns are library, command and test."""
        rows, is_table = [], False
        for line in document.split("\n"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not line.startswith("|"):
                is_table = False
            elif len(cells) == 4 and cells[1:] == ["library", "command", "test"]:
                is_table = True
            elif is_table and len(cells) == 4 and not line.startswith("|---"):
                rows.append(cells)
        return rows

    def is_public(self, name):
        """Whether a program that uses the library can name it; the members of a public protocol and the cases
        of an enumeration are as public as the type."""
        kind, _, member = name.partition(".")
        if kind not in self.publishing or not member:
            return kind in self.publishing
        is_protocol = any(f"public protocol {kind}" in line
                          for file in self.publishing[kind] for line in file.lines)
        pattern = re.compile(rf"func {member}\(|(var|let|case|struct) {member}")
        return any(pattern.search(line) and (is_protocol or "public " in line or "case " in line)
                   for file in self.declaring[kind] for line in file.lines)

    def is_command(self, line):
        """A command line with its options, or a setting: all have a manual page. Words in capitals are
        placeholders, and `fg` is the shell's."""
        for position, word in enumerate(line.split()):
            if word.isupper() and word.isalpha() or word == "fg":
                continue
            if word.startswith("-"):
                option = word[1:].replace("-", "\\-")
                is_there = any(f"Fl {option}" in page or f"Fl \\&{option}" in page for page in self.pages)
            elif "=" in word or "." in word:
                is_there = f"\\fB{word.split('=')[0]}\\fP:" in text("man/sdkctl-profiles.7")
            else:
                is_there = position > 0 or exists(f"man/sdkctl-{word}.1")
            if not is_there:
                return False
        return True

    @staticmethod
    def is_test(name):
        """A file of the tests: `NAMETests` is a Swift file of that name, or a suite in one."""
        if "/" in name:
            return exists(name)
        file = name if name.endswith(".py") else f"{name}.swift"
        return any(path.endswith(f"/{file}") for path in paths("Tests")) or any(
            f"struct {name} {{" in text(path) for path in paths("Tests") if path.endswith(".swift"))
