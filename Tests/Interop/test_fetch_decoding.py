"""`fetch --compressed`: bodies that gzip and zlib have made, whole, damaged, and huge."""

import gzip
import resource
import zlib

from Servers.scripted import http

from Interop.test_fetch_faults import ScriptedCase, head

TEXT = b"".join(b"line %d\n" % number for number in range(20_000))
PEAK = 200 << 10  # KiB of memory that a debug build may take at most


def raw_deflate(data) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


class DecodingTests(ScriptedCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.bodies = {
            "gzip": gzip.compress(TEXT), "x-gzip": gzip.compress(TEXT),
            "deflate": zlib.compress(TEXT)}

    def serve(self, body, coding, size=None):
        """Serves a body as a whole, or in chunks of that size."""
        if size is None:
            self.server.replies["/x"] = http(200, body, Content_Encoding=coding)
            return
        chunks = [body[start:start + size] for start in range(0, len(body), size)]
        self.server.replies["/x"] = b"".join([
            head("Transfer-Encoding: chunked", f"Content-Encoding: {coding}"),
            *(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks), b"0\r\n\r\n"])

    def get(self):
        return self.fetch("/x", "--compressed")

    def assertBody(self, body):
        result = self.get()
        self.assertEqual((result.exit, result.out), (0, body), result.err)

    def assertRefused(self, pattern):
        target = self.home.directory / "body"
        result = self.fails(1, "fetch", "--unauth", "/x", "--compressed", "-o", target)
        self.assertError(result, pattern)
        self.assertFalse(target.exists())

    def test_each_coding_is_offered_and_decoded_in_chunks_of_any_size(self):
        for coding, body in self.bodies.items():
            for size in (None, 1 if len(body) < 1000 else 97):
                with self.subTest(coding, size=size):
                    self.serve(body, coding, size)
                    self.assertBody(TEXT)
        self.assertEqual(self.server.seen[-1].fields["accept-encoding"],
                         ["gzip, deflate"])
        self.serve(raw_deflate(TEXT), "deflate")
        self.assertBody(TEXT)
        self.serve(b"", "gzip")
        self.assertBody(b"")

    def test_a_body_that_ends_too_early_is_an_error_and_no_file(self):
        for coding, body in self.bodies.items():
            for missing in (1, 5, len(body) // 2, len(body) - 1):
                with self.subTest(coding, missing=missing):
                    self.serve(body[:-missing], coding)
                    self.assertRefused("compressed body is not complete")

    def test_all_members_of_gzip_are_decoded(self):
        for size in (None, 1000, len(self.bodies["gzip"])):
            with self.subTest(size=size):
                self.serve(self.bodies["gzip"] + gzip.compress(b"more"), "gzip", size)
                self.assertBody(TEXT + b"more")

    def test_what_follows_the_end_of_a_coding_is_an_error(self):
        for coding, body in self.bodies.items():
            for size in (None, len(body)):
                with self.subTest(coding, size=size):
                    self.serve(body + b"garbage that is no member", coding, size)
                    self.assertRefused("could not be decoded")

    def test_damaged_bodies_and_unknown_codings_are_errors(self):
        damaged = bytearray(self.bodies["gzip"])
        damaged[-8] ^= 1
        self.serve(bytes(damaged), "gzip")
        self.assertRefused("could not be decoded")
        for coding in ("compress", "br", "zstd", "gzip, foo", "gzip, gzip"):
            with self.subTest(coding):
                self.serve(self.bodies["gzip"], coding)
                self.assertRefused("content coding that was not requested")

    def test_a_bomb_ends_at_the_maximum_size_in_little_memory(self):
        packer = zlib.compressobj(1, zlib.DEFLATED, 31)
        body = b"".join(packer.compress(bytes(1 << 20)) for _ in range(512)) + packer.flush()
        self.serve(body, "gzip")
        target = self.home.directory / "body"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        result = self.fails(1, "fetch", "--unauth", "/x", "--compressed", "--max-size", "20M",
                            "-o", target)
        self.assertIn("larger than 20971520 bytes", result.err)
        self.assertFalse(target.exists())
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        self.assertLess(peak, max(before, PEAK) + 1)
