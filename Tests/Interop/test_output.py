"""Where `fetch --output` writes: files, links, pipes and devices."""

import os
import stat
from pathlib import Path

from Servers.case import Case
from Servers.resource import pattern

SIZE = 70_000


class OutputFileTests(Case):
    def setUp(self):
        super().setUp()
        self.add_profile()
        self.target = self.home.directory / "body"

    def fetch(self, *arguments, **keywords):
        return self.ok("fetch", "--unauth", *arguments, **keywords)

    def assertNothingLeft(self, *names):
        """The directory holds these names and those of the home, and no temporary file."""
        self.assertEqual({path.name for path in self.home.directory.iterdir()},
                         {"store", *names})

    def test_an_existing_file_keeps_its_mode_and_a_new_one_is_private(self):
        self.fetch("-o", self.target, f"/bytes/{SIZE}")
        self.assertEqual(stat.S_IMODE(self.target.stat().st_mode), 0o600)
        for mode in (0o644, 0o664, 0o755, 0o600):
            with self.subTest(oct(mode)):
                self.target.write_text("old")
                self.target.chmod(mode)
                self.fetch("-o", self.target, f"/bytes/{SIZE}")
                self.assertEqual(stat.S_IMODE(self.target.stat().st_mode), mode)
                self.assertEqual(self.target.read_bytes(), pattern(SIZE))
        self.assertNothingLeft("body")

    def test_a_symbolic_link_is_followed_and_stays(self):
        link = self.home.directory / "link"
        link.symlink_to("body")
        for label in ("to nothing", "to a file"):
            with self.subTest(label):
                self.fetch("-o", link, f"/bytes/{SIZE}")
                self.assertTrue(link.is_symlink())
                self.assertFalse(self.target.is_symlink())
                self.assertEqual(self.target.read_bytes(), pattern(SIZE))
                self.target.write_text("old")
        self.assertNothingLeft("body", "link")

    def test_a_pipe_is_written_to_and_stays(self):
        os.mkfifo(self.target)
        reader = os.open(self.target, os.O_RDWR)
        self.addCleanup(os.close, reader)
        self.fetch("-o", self.target, "/bytes/1000")
        self.assertEqual(os.read(reader, 2000), pattern(1000))
        self.assertTrue(stat.S_ISFIFO(self.target.lstat().st_mode))
        self.assertNothingLeft("body")

    def test_the_links_and_devices_of_the_system_stay(self):
        before = {name: os.lstat(name) for name in ("/dev/stdout", "/dev/null")}
        self.assertEqual(self.fetch("-o", "/dev/stdout", f"/bytes/{SIZE}").out, pattern(SIZE))
        self.fetch("-o", "/dev/null", f"/bytes/{SIZE}")
        for name, status in before.items():
            after = os.lstat(name)
            self.assertEqual((after.st_ino, after.st_mode), (status.st_ino, status.st_mode), name)

    def test_a_redirected_stdout_is_written_to_where_it_stands(self):
        with self.target.open("wb", buffering=0) as file:
            file.write(b"before ")
            inode = os.fstat(file.fileno()).st_ino
            self.fetch("-o", "/dev/stdout", f"/bytes/{SIZE}", stdout=file)
            file.write(b" after")
        self.assertEqual(self.target.read_bytes(), b"before " + pattern(SIZE) + b" after")
        self.assertEqual(self.target.stat().st_ino, inode)
        self.assertTrue(Path("/dev/stdout").is_symlink())

    def test_an_http_error_leaves_a_good_file_alone(self):
        for status, code in ((404, 12), (503, 13)):
            with self.subTest(status):
                self.target.write_text("good")
                result = self.fails(code, "fetch", "--unauth", "-o", self.target,
                                    f"/status/{status}")
                self.assertIn("--no-fail", result.err)
                self.assertEqual(self.target.read_text(), "good")
                self.target.unlink()
                self.fails(code, "fetch", "--unauth", "-o", self.target, f"/status/{status}")
                self.assertNothingLeft()
                self.fetch("--no-fail", "-o", self.target, f"/status/{status}")
                self.assertEqual(self.target.read_bytes(), b"status %d\n" % status)
                # A pipe is not spared: it has nothing that could be lost.
                stream = self.home.run("fetch", "--unauth", "-o", "/dev/stdout",
                                       f"/status/{status}")
                self.assertEqual((stream.exit, stream.out), (code, b"status %d\n" % status))
