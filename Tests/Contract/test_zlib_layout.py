"""The structure of zlib that the sources declare is that of zlib.h, which no build needs."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "Sources" / "CCurl"

# The names of the sources, and those of zlib.h.
FIELDS = {"next_in": "next_in", "available_in": "avail_in", "total_in": "total_in",
          "next_out": "next_out", "available_out": "avail_out", "total_out": "total_out",
          "message": "msg", "state": "state", "allocate": "zalloc", "release": "zfree",
          "opaque": "opaque", "data_type": "data_type", "adler": "adler", "reserved": "reserved"}


class ZlibLayoutTests(unittest.TestCase):
    def test_the_fields_are_where_zlib_has_them(self):
        declaration = re.search(r"^struct zlib_stream \{.*?^\};", (SOURCES / "decode.c").read_text(),
                                re.M | re.S)
        lines = ["#include <stddef.h>", "#include <zlib.h>", declaration[0],
                 self.equal("sizeof(struct zlib_stream)", "sizeof(z_stream)")]
        for own, name in FIELDS.items():
            lines += [self.equal(f"offsetof(struct zlib_stream, {own})", f"offsetof(z_stream, {name})"),
                      self.equal(f"sizeof((struct zlib_stream *)0)->{own}",
                                 f"sizeof((z_stream *)0)->{name}")]
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "layout.c"
            file.write_text("\n".join(lines))
            compiler = shutil.which("clang") or shutil.which("cc")
            done = subprocess.run([compiler, "-fsyntax-only", file], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)

    @staticmethod
    def equal(one: str, other: str) -> str:
        return f'_Static_assert({one} == {other}, "{one}");'
