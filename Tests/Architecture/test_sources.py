"""What source files may have in them. `Tests/check-sources` refuses words that may stand in none."""

import re
import unittest

from Architecture.tree import File, library, product, sources

IDENTIFIERS = {
    "issuer", "subject", "audience", "authorizedParty", "clientID", "nonce", "keyID", "kid",
    "idToken", "accessToken", "refreshToken", "deviceCode", "userCode", "redirectURI",
    "thumbprint", "acr", "alias"}


def is_identifier(operand):
    path = [part for part in re.split(r"[.?!()]", operand) if part]
    # A constant of a type is a word of the protocol that this program chose.
    if not path or path[0][0].isupper():
        return False
    if path[-1] == "text" and len(path) > 1:
        return path[-2] in IDENTIFIERS
    return path[-1] in IDENTIFIERS or path[-1] == "string" and len(path) > 1


def leading(text):
    operand = re.match(r"[\w.?!()\[\]]*", re.sub(r"^\(*(try )?", "", text))[0]
    # A parenthesis that was opened before the operand does not belong to it.
    while operand.count(")") > operand.count("("):
        operand = operand[:-1] if operand.endswith(")") else ""
    return operand


def compared(line):
    """The operands that are identifiers and are compared as strings of Swift."""
    found = []
    for sign in (" == ", " != "):
        parts = line.split(sign)
        for left, right in zip(parts, parts[1:]):
            operands = [re.search(r"[\w.?!()\[\]]*$", left)[0].lstrip("("), leading(right)]
            # With nothing, a case or a literal (emptied here) as the other side, nothing is confused.
            if operands[1] and not any(part == "nil" or part[:1] == "." for part in operands):
                found += filter(is_identifier, operands)
    return found + [word for word in map(leading, line.split(".contains(")[1:]) if is_identifier(word)]


def is_unchecked(line):
    """Whether a line calculates with the number of a time."""
    line = line.replace("components.seconds", "duration")
    return bool(re.search(r"\.seconds [-+*] | [-+*] [\w$.()]+\.seconds($|[^A-Za-z(])", line))


def is_public(line):
    words = line.split('"')[0].split()
    return "public" in words and not {"import", "extension"} & set(words) and words[0][:2] != "//"


def comment_above(index, lines):
    """The lines of the documentation comment of a declaration, attributes aside."""
    above = [line.strip() for line in lines[:index]]
    while above and above[-1].startswith("@"):
        above.pop()
    found = []
    while above and above[-1].startswith("///"):
        found.insert(0, above.pop())
    return found


def throws(index, lines):
    """Whether a declaration throws, and not only a closure in parentheses."""
    is_called = re.search(r"func |init", lines[index])
    signature = " ".join(lines[index:index + 20]).split("{")[0] if is_called else lines[index]
    depth = 0
    for place, character in enumerate(signature):
        depth += (character == "(") - (character == ")")
        if depth == 0 and signature.startswith(" throws(", place):
            return "typealias " not in signature
    return False


class SourceTests(unittest.TestCase):
    def refuse(self, files, is_wrong, reason, lines="code"):
        found = [f"{file.path}:{number}: {reason}" for file in files
                 for number, line in getattr(file, lines) if is_wrong(line)]
        self.assertEqual(found, [])

    def test_files_have_at_most_300_lines(self):
        self.assertGreater(len(sources()), 200)
        self.assertEqual([file.path for file in sources() if len(file.lines) > 301], [])

    def test_a_comment_above_says_why_something_unchecked_is_safe(self):
        for file in sources():
            for number, code in file.code:
                if "@unchecked" in code:
                    above = file.lines[max(number - 2, 0)].strip()
                    self.assertTrue(above.startswith("//"), f"{file.path}:{number}")

    def test_the_programs_are_one_file_of_at_most_20_lines(self):
        files = [file for file in sources() if file.module.startswith("sdkctl")]
        self.assertEqual([file.path for file in files],
                         ["Sources/sdkctl-sandbox/main.swift", "Sources/sdkctl/main.swift"])
        self.assertTrue(all(len(file.lines) <= 21 for file in files))

    def test_the_library_names_neither_the_program_nor_its_options(self):
        """A program that embeds the library has another name, and other commands."""
        files = [file for file in product() if file.module not in ("Commands", "sdkctl")]
        # The directories of the default store are those of the program: see docs/library.md.
        self.refuse([file for file in files if not file.path.endswith("/StoreLocation.swift")],
                    lambda line: "sdkctl" in line, "take a Remedy or a parameter of the caller", "literals")
        self.refuse([file for file in files if file.module != "Arguments"],
                    lambda line: re.search(r"(?<![-A-Za-z])--[A-Za-z]", line),
                    "take a Remedy, which the program shows as an option", "literals")

    def test_identifiers_are_compared_as_bytes(self):
        """Swift compares strings by canonical equivalence, and lowers letters that are not ASCII to ASCII."""
        self.refuse(product(), compared, "take sameIdentifier, not == or contains")
        self.refuse(product(), lambda line: ".lowercased()" in line, "take asciiLowercased")
        self.refuse([file for file in product() if file.module in ("JOSE", "OAuth", "SDKCore")],
                    lambda line: "rawValue:)" in line or "(rawValue: try" in line,
                    "take init(identifier:)")

    def test_comparisons_are_found(self):
        for line, found in (
                ("guard token.issuer == issuer else {", ["token.issuer", "issuer"]),
                ("if let issuer, metadata.issuer.text != issuer {", ["metadata.issuer.text", "issuer"]),
                ("guard claims[]?.string == value else", ["claims[]?.string"]),
                ("a.subject != b?.subject", ["a.subject", "b?.subject"]),
                ("return x == (try implicitGrantor()?.idToken)", ["implicitGrantor()?.idToken"]),
                ("&& != nonce", ["nonce"]), ("token.audience.contains(clientID)", ["clientID"]),
                ("issuer == nil || nil != subject", []), ("key.kind == .issuer", []),
                ("issuers == 1", []), ("issuer == ", []), ("sameIdentifier(a.issuer, b)", []),
                ("state == .clientID", []), ("f(isSet: subject != nil)", []),
                ("extras.contains(Grant.deviceCode)", []),
                ("audience.contains(identifier: clientID)", [])):
            self.assertEqual(compared(line), found, line)

    def test_times_are_calculated_with_timestamps_which_are_clamped(self):
        """Numbers from files and servers may be the largest that there are."""
        modules = ("Pinning", "Curl", "JOSE", "OAuth", "SDKCore", "Commands")
        self.refuse([file for file in product() if file.module in modules], is_unchecked,
                    "calculate with Timestamp")
        for line, is_found in (
                ("let a = now.seconds - time", True), ("let a = now().seconds + time", True),
                ("x(time - now().seconds)", True), ("a + now.seconds", True), ("$0.seconds - b", True),
                ("now + .seconds(1)", False), ("now + a.components.seconds", False),
                ("a.components.seconds * 2", False), ("now.seconds(since: time)", False)):
            self.assertEqual(is_unchecked(line), is_found, line)

    def test_public_declarations_have_a_comment_which_names_the_errors(self):
        self.assertGreater(len(library()), 50)
        for file in library():
            for index in filter(lambda index: is_public(file.lines[index]), range(len(file.lines))):
                comment = comment_above(index, file.lines)
                place = f"{file.path}:{index + 1}"
                self.assertTrue(comment, place)
                if throws(index, file.lines):
                    self.assertTrue(any(line.startswith("/// - Throws: ") for line in comment), place)

    def test_public_declarations_are_found(self):
        lines = ["  /// A.", "  ///", "  /// - Throws: b.", "  @discardableResult",
                 "  public func a(", "    _ b: Int", "  ) async throws(E) -> Int {", "  }",
                 "  public init(_ c: () throws(E) -> Int) {", "  func d() throws(E) {}",
                 "public extension X {", "  throw E(\"a public suffix\")"]
        self.assertEqual([index for index, line in enumerate(lines) if is_public(line)], [4, 8])
        self.assertEqual(comment_above(4, lines), ["/// A.", "///", "/// - Throws: b."])
        self.assertEqual(comment_above(8, lines), [])
        self.assertTrue(throws(4, lines))
        self.assertFalse(throws(8, lines))

    def test_files_are_read_without_comments_and_texts(self):
        file = File("Sources/X/a.swift", [
            'let a = "try! // \\" b(" // as! ', '"""', "sdkctl \"e\"", '"""', "/// sdkctl d", "try! b",
            "import struct Foundation.Data", "@testable package import Glibc", 'f("g", "h") // "i"'])
        self.assertEqual([number for number, code in file.code if "try!" in code], [6])
        self.assertEqual([pair for pair in file.literals if pair[1]],
                         [(1, 'try! // \\" b('), (3, 'sdkctl "e"'), (9, "gh")])
        self.assertEqual(file.imports, ["Foundation", "Glibc"])
        self.assertEqual(file.module, "X")
