"""Draws what a terminal shows as SVG, for light and dark pages, without fonts of its own."""

import re
from xml.sax.saxutils import escape

# The size of a character and of a line, in pixels.
WIDTH, HEIGHT, SIZE = 8.4, 20, 14
MARGIN, BAR = 20, 36
FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"
COLOURS = {
    # name: light, dark
    "page": ("#ffffff", "#0d1117"), "frame": ("#d0d7de", "#30363d"), "bar": ("#f6f8fa", "#161b22"),
    "text": ("#1f2328", "#e6edf3"), "soft": ("#656d76", "#8b949e"), "bold": ("#0b0f14", "#ffffff"),
    "red": ("#cf222e", "#ff7b72"), "yellow": ("#9a6700", "#e3b341"), "green": ("#1a7f37", "#56d364"),
    "blue": ("#0969da", "#79c0ff"),
}
CODES = {"1": "bold", "31": "red", "32": "green", "33": "yellow", "34": "blue", "2": "soft"}


def style() -> str:
    """Each colour as a class, which is another one on a dark page."""
    def rules(index):
        return "".join(f".{name}{{fill:{pair[index]}}}" for name, pair in COLOURS.items())
    return ("<style>" + rules(0) + f"text{{font:{SIZE}px {FONT};white-space:pre}}.bold{{font-weight:600}}"
            f".line{{fill:none;stroke:{COLOURS['frame'][0]}}}"
            "@media(prefers-color-scheme:dark){" + rules(1)
            + f".line{{stroke:{COLOURS['frame'][1]}}}" + "}</style>")


def svg(width, height, title, body) -> str:
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" role="img"><title>{escape(title)}</title>\n{style()}\n'
            f'<rect class="page" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="8"/>\n'
            + body +
            f'<rect class="line" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="8"/>\n</svg>\n')


def draw(steps, columns, title) -> str:
    """The picture of commands with their output, which may have colours."""
    lines = []
    for command, output in steps:
        if lines:
            lines.append([])
        lines.append([("green", "$ "), ("bold", command)])
        lines += [row for line in output.splitlines() for row in wrapped(parts(line), columns)]
    width = 2 * MARGIN + columns * WIDTH
    body = [f'<path class="bar" d="M1 {BAR}V9a8 8 0 0 1 8-8H{width - 9:g}a8 8 0 0 1 8 8V{BAR}z"/>',
            f'<path class="line" d="M1 {BAR + 0.5}H{width - 1:g}"/>']
    body += [f'<circle class="frame" cx="{MARGIN + 18 * index}" cy="18" r="6"/>' for index in range(3)]
    for number, line in enumerate(lines):
        y = BAR + MARGIN + number * HEIGHT + SIZE - 2
        column = 0
        for colour, text in line:
            if text.strip():
                # The length keeps columns aligned, whatever font there is.
                body.append(f'<text class="{colour}" x="{MARGIN + column * WIDTH:g}" y="{y}" '
                            f'textLength="{len(text) * WIDTH:g}" lengthAdjust="spacingAndGlyphs">'
                            f'{escape(text)}</text>')
            column += len(text)
    height = BAR + 2 * MARGIN + len(lines) * HEIGHT - (HEIGHT - SIZE)
    return svg(width, height, title, "\n".join(body) + "\n")


def parts(line) -> list:
    """The pieces of a line with the names of their colours."""
    pieces, colour = [], "text"
    for index, piece in enumerate(re.split(r"\x1b\[([0-9;]*)m", line.replace("\r", ""))):
        if index % 2:
            names = [CODES[code] for code in piece.split(";") if code in CODES]
            colour = names[-1] if names else "text"
        elif piece:
            pieces.append((colour, piece))
    return pieces


def wrapped(pieces, columns) -> list:
    """The rows of a line, as a terminal of that width breaks it."""
    rows, row, left = [], [], columns
    for colour, text in pieces:
        while text:
            if not left:
                rows.append(row)
                row, left = [], columns
            row.append((colour, text[:left]))
            text, left = text[left:], left - len(text[:left])
    return rows + [row]
