"""The ratios of docs/performance.md as bars."""

import re
from pathlib import Path
from xml.sax.saxutils import escape

from .terminal import svg

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/performance.md"
LABEL, UNIT, ROW, TOP = 356, 280, 34, 74


def ratios(text=None) -> list:
    """The rows of the table: what is compared, with what, and the first number of the ratio."""
    text = text if text is not None else DOCUMENT.read_text()
    rows = []
    for line in text.partition("| ratio |")[2].split("\n\n")[0].splitlines():
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        ratio = re.match(r"\d+\.\d+", cells[1]) if len(cells) > 2 else None
        if ratio and " / " in cells[0]:
            ours, _, theirs = cells[0].partition(" / ")
            rows.append((ours, theirs, float(ratio.group())))
    return rows


def draw() -> str:
    rows = ratios()
    width, height = LABEL + 1.75 * UNIT, TOP + ROW * len(rows) + 26
    body = ['<text class="bold" x="24" y="34">time of sdkctl, as a share of the other program\'s</text>',
            '<text class="soft" x="24" y="54">shorter is faster</text>',
            f'<path class="line" stroke-dasharray="3 3" d="M{LABEL + UNIT} {TOP - 14}V{height - 18}"/>',
            f'<text class="soft" x="{LABEL + UNIT}" y="{TOP - 20}" text-anchor="middle">as long</text>']
    for number, (ours, theirs, ratio) in enumerate(rows):
        y = TOP + number * ROW
        colour = "green" if ratio <= 1 else "yellow"
        body += [f'<text class="text" x="24" y="{y + 15}">{escape(ours)}<tspan class="soft"> / {escape(theirs)}'
                 f'</tspan></text>',
                 f'<rect class="{colour}" x="{LABEL}" y="{y}" width="{ratio * UNIT:g}" height="20" rx="3"/>',
                 f'<text class="text" x="{LABEL + ratio * UNIT + 8:g}" y="{y + 15}">{ratio:.2f}</text>']
    return svg(width, height, "How long sdkctl takes, compared with other programs", "\n".join(body) + "\n")
