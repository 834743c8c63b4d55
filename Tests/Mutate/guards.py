"""Finds the guards of a Swift file, and rewrites them so that a number switches one of them off.

A guard is a condition of `guard … else`, an `if` whose body leaves the function or the loop, or a static limit,
which becomes four times as large. The text is read without a parser of Swift: what is wrongly rewritten does not
compile, and is then left out.
"""

import collections
import re

# `start` and `end` enclose what is rewritten, in characters. `kind` is "guard", "if", "limit" or "call".
Guard = collections.namedtuple("Guard", "start end kind line last_line text")

BINDINGS = re.compile(r"(let|var|case)\b|#")
LEAVES = re.compile(r"\b(throw|return|continue|break)\b")
CALL = re.compile(r"^[ \t]*(?P<call>(try|await)\b(?! *[!?])[^\n=]*\))[ \t]*$", re.MULTILINE)
LIMIT = re.compile(
    r"^[ \t]*(?:\w+ )*static let \w*(?:[mM]aximum|[lL]imit|[lL]ongest)\w*(?:: Int\w*)? = (?P<limit>\d[\d_ <*+]*)$",
    re.MULTILINE)
STRING = re.compile(r'(#*)("""|")')


def masked(text):
    """Returns the text with spaces in place of comments and of what is between quotes."""
    result, at = list(text), 0
    while at < len(text):
        end, kept = at + 1, 1
        string = STRING.match(text, at)
        if text.startswith("//", at):
            end, kept = _end_of_line(text, at), 0
        elif text.startswith("/*", at):
            end, kept = _end_of_comment(text, at), 0
        elif string:
            end = _end_of_string(text, string)
        if end > at + 1:
            for index in range(at + kept, end - kept):
                if text[index] != "\n":
                    result[index] = " "
        at = end
    return "".join(result)


def guards(text, lines=None):
    """Returns the guards of a file. With `lines`, those that begin there, and also each `if` and each call that
    returns nothing."""
    mask = masked(text)
    found = list(_guard_conditions(mask)) + list(_ifs(mask, every=lines is not None))
    found += [(match.start("limit"), match.end("limit"), "limit") for match in LIMIT.finditer(mask)]
    if lines is not None:
        found += [(match.start("call"), match.end("call"), "call") for match in CALL.finditer(mask)]
    all_guards = [
        Guard(start, end, kind, _line(text, start), _line(text, end),
              " ".join(text[start:end].split()))
        for start, end, kind in sorted(found)]
    return [guard for guard in all_guards if lines is None or guard.line in lines]


def rewritten(text, numbered):
    """Returns the text with switches in it, on the same lines.

    :param numbered: pairs of a number and a guard of this text
    """
    edits = []
    for number, guard in numbered:
        # A condition is always evaluated, and a guard counts as reached only where it makes a difference.
        if guard.kind == "guard":
            edits += [(guard.start, f"holds({number}, "), (guard.end, ")")]
        elif guard.kind == "if":
            edits.append((guard.end, f", !isMutant({number}) "))
        elif guard.kind == "limit":
            edits += [(guard.start, f"(isMutant({number}) ? 4 : 1) * ("), (guard.end, ")")]
        else:
            edits += [(guard.start, f"if !isMutant({number}) {{ "), (guard.end, " }")]
    for at, piece in sorted(edits, reverse=True):
        text = text[:at] + piece + text[at:]
    return text


def _guard_conditions(mask):
    for match in re.finditer(r"\bguard\b", mask):
        end = _find(mask, match.end(), r"\belse\b")
        for start, end in _elements(mask, match.end(), end):
            if not BINDINGS.match(mask, start):
                yield start, end, "guard"


def _ifs(mask, every):
    for match in re.finditer(r"(?<!#)\bif\b", mask):
        brace = _find(mask, match.end(), r"\{")
        end = _find(mask, brace + 1, r"\}") if brace is not None else None
        if end is None:
            continue
        has_else = re.compile(r"\s*else\b").match(mask, end + 1)
        if every or (LEAVES.search(mask, brace, end) and not has_else):
            start = match.end() + len(mask[match.end():]) - len(mask[match.end():].lstrip())
            yield start, len(mask[:brace].rstrip()), "if"


def _find(mask, start, pattern):
    """Returns where the pattern is first found outside of brackets, or nil."""
    depth, wanted = 0, re.compile(pattern)
    for at in range(start, len(mask)):
        if depth == 0 and wanted.match(mask, at):
            return at
        if mask[at] in "([{":
            depth += 1
        elif mask[at] in ")]}":
            depth -= 1
            if depth < 0:
                return None
    return None


def _elements(mask, start, end):
    """Yields the parts between commas outside of brackets, without the space around them."""
    while end is not None and start < end:
        comma = _find(mask[:end], start, ",")
        stop = end if comma is None else comma
        part = mask[start:stop]
        yield start + len(part) - len(part.lstrip()), start + len(part.rstrip())
        start = stop + 1


def _line(text, at):
    return text.count("\n", 0, at) + 1


def _end_of_line(text, at):
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _end_of_comment(text, at):
    depth = 0
    for match in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return len(text)


def _end_of_string(text, opening):
    """Returns where a string literal ends, with the literals in its interpolations."""
    hashes, quotes = opening.groups()
    close, escape, at = quotes + hashes, "\\" + hashes, opening.end()
    while at < len(text):
        if text.startswith(close, at):
            return at + len(close)
        if text.startswith(escape + "(", at):
            at = _end_of_brackets(text, at + len(escape))
        else:
            at += len(escape) + 1 if text.startswith(escape, at) else 1
    return len(text)


def _end_of_brackets(text, at):
    depth = 0
    while at < len(text):
        string = STRING.match(text, at)
        if string:
            at = _end_of_string(text, string)
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            break
    return at
