"""The files of this tree, and those of the sources line by line."""

import functools
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"?|//.*')


def text(name):
    return (ROOT / name).read_text()


@functools.cache
def paths(folder):
    """The files below a folder, from the top of the tree; none that a build or a run makes."""
    found = []
    for top, folders, names in os.walk(ROOT / folder):
        folders[:] = [name for name in folders if name not in (".build", "artefacts", "__pycache__")]
        found += [os.path.relpath(os.path.join(top, name), ROOT) for name in names]
    return sorted(found)


def split(line):
    """The code of a line without comment and quoted text, and the quoted text."""
    quoted = []

    def take(match):
        quoted.append(match[1] or "")
        return ""

    return TOKEN.sub(take, line), "".join(quoted)


class File:
    """A Swift file: `code` and `literals` have a pair of number and text for each line."""

    def __init__(self, path, lines):
        self.path, self.lines = path, lines
        _, self.module, *rest = path.split("/")
        self.folder = rest[0] if len(rest) > 1 else ""
        self.code, self.literals, is_text = [], [], False
        for number, line in enumerate(lines, 1):
            marks = line.count('"""')
            code, literals = ("", line) if is_text and not marks else split(line)
            self.code.append((number, code))
            self.literals.append((number, literals))
            is_text ^= marks % 2 == 1

    @property
    def imports(self):
        """The modules that the file imports; `import struct Module.Name` is an import too."""
        pattern = (r"(?:(?:@\S+|public|package|internal|fileprivate|private) +)*import +"
                   r"(?:(?:struct|class|enum|func|protocol|typealias|var|let) +)?(\w+)")
        return [match[1] for _, code in self.code if (match := re.match(pattern, code))]


@functools.cache
def sources():
    return [File(path, text(path).split("\n"))
            for path in paths("Sources") if path.endswith(".swift")]


def product():
    """The files that are not of the sandbox, which is a counterpart for tests."""
    return [file for file in sources() if file.module not in ("Sandbox", "sdkctl-sandbox")]


def library():
    return [file for file in sources() if file.module == "SDKCore"]
