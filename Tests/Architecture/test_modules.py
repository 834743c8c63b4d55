"""The modules of Package.swift, and the folders of the library, are layers."""

import re
import unittest
from collections import Counter, defaultdict

from Architecture.tree import library, paths, sources, text

# What comes with the compiler, and who may use it.
OUTSIDE = {"Synchronization": None, "Glibc": ["POSIX"], "Musl": ["POSIX"], "Darwin": ["POSIX"]}


def declared_modules():
    """The modules, lowest first, with what each may import."""
    flat = "".join(text("Package.swift").split()).split('"TestSupport"')[0]
    row = (r'(?:module|\.(?:executableT|t)arget)\((?:name:)?"([A-Za-z-]+)"'
           r'(?:,(?:imports|dependencies):\[([^\]]*)\])?')
    return {name: set(re.findall(r"[\w-]+", imports)) for name, imports in re.findall(row, flat)}


class ModuleTests(unittest.TestCase):
    modules = declared_modules()

    def test_they_are_the_folders_of_sources(self):
        self.assertEqual({path.split("/")[1] for path in paths("Sources")}, set(self.modules))

    def test_they_import_only_lower_ones_and_no_package(self):
        below = set()
        for name, imports in self.modules.items():
            self.assertLessEqual(imports, below, name)
            below.add(name)
        self.assertNotIn(".package(", text("Package.swift"))

    def test_files_import_what_the_row_of_their_module_names(self):
        for file in sources():
            for name in file.imports:
                users = OUTSIDE.get(name, [])
                is_allowed = users is None or file.module in users or name in self.modules[file.module]
                self.assertTrue(is_allowed, f"{file.path} imports {name}")

    def test_they_are_those_of_the_architecture(self):
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in text("ARCHITECTURE.md").splitlines() if line.count("|") > 2]
        for name, imports in self.modules.items():
            row = next((row for row in rows if row[1] == f"`{name}`"), None)
            self.assertIsNotNone(row, name)
            words = set(re.split("[, `]+", row[-1])) - {""}
            # The rows of the upper layers use words.
            if words <= {*self.modules, "–"}:
                self.assertEqual(words - {"–"}, imports, name)


class FolderTests(unittest.TestCase):
    """A folder of the library uses only those of the rows above its own in ARCHITECTURE.md."""

    @classmethod
    def setUpClass(cls):
        table = text("ARCHITECTURE.md").split("| layer | what it has |\n")[1].splitlines()[1:]
        cls.ranks = {}
        for rank, row in enumerate(table):
            if not row.startswith("|"):
                break
            for path in row.split("|")[1].split(","):
                cls.ranks[re.sub(r"[^A-Za-z]", "", path.strip().strip("`/").split("/")[-1])] = rank

    def test_they_are_those_of_the_table(self):
        self.assertEqual({file.folder for file in library()}, set(self.ranks))
        self.assertGreater(len(set(self.ranks.values())), 5)

    def test_they_use_lower_ones_only_and_those_of_one_layer_in_one_direction(self):
        types, members = homes()
        self.assertGreater(len(types), 200)
        level = set()
        for file in library():
            for number, code in file.code:
                for dot, word in re.findall(r"(\.?)(\w+)", code):
                    home = (members if dot else types).get(word, file.folder)
                    if home not in self.ranks or home == file.folder:
                        continue
                    rank, own = self.ranks[home], self.ranks[file.folder]
                    self.assertLessEqual(rank, own, f"{file.path}:{number} uses {word} of {home}")
                    if rank == own:
                        level.add((file.folder, home))
        self.assertEqual([arrow for arrow in level if arrow[::-1] in level], [])


def declared(code, kinds):
    """The name that a line declares by one of these words; None for a private one."""
    match = re.search(rf"\b(?:{kinds})\b\W+(\w+)", code)
    return match[1] if match and "private" not in code[:match.start()] else None


def homes():
    """The folders of the types at the top of files, and of the members that an extension of another
    folder's type adds, if nothing else has their name."""
    found = defaultdict(set)
    for file in library():
        for _, code in file.code:
            if code[:1] != " " and (
                    name := declared(code, "struct|class|enum|actor|protocol|typealias")):
                found[name].add(file.folder)
    types = {name: min(folders) for name, folders in found.items() if len(folders) == 1}
    members, count = {}, Counter()
    for file in sources():
        is_foreign = False
        for _, code in file.code:
            if code[:1] not in ("", " ", "}"):
                extended = declared(code, "extension")
                is_foreign = bool(extended) and file.module == "SDKCore" and (
                    types.get(extended) != file.folder)
            name = declared(code, "func|var|let|case")
            if not name:
                continue
            count[name] += 1
            if is_foreign and re.match("  [^ ]", code):
                members[name] = file.folder
    return types, {name: folder for name, folder in members.items() if count[name] == 1}
