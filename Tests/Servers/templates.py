"""Configuration files of servers, in which @NAME@ stands for a value of this run."""

import re
from pathlib import Path

HERE = Path(__file__).parent


def filled(name: str, values: dict) -> str:
    """The template beside this file with its values; what has none stays as it is."""
    return with_values((HERE / name).read_text(), values)


def with_values(text: str, values: dict) -> str:
    return re.sub("@([A-Z]+)@", lambda match: str(values.get(match[1], match[0])), text)
