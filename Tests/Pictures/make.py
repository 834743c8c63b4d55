#!/usr/bin/env python3
"""Writes docs/pictures from what the programs print now."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from Pictures import bars, scenes  # noqa: E402

FOLDER = Path(__file__).resolve().parents[2] / "docs/pictures"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, picture in (scenes.pictures() | {"performance": bars.draw()}).items():
        (FOLDER / f"{name}.svg").write_text(picture)
        print(f"docs/pictures/{name}.svg")
