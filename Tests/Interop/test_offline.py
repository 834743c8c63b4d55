"""Commands that need no network do not even load libcurl."""

from Servers.case import Case


class OfflineTests(Case):
    def setUp(self):
        super().setUp()
        self.add_session()

    def loaded(self, *arguments) -> str:
        """The loader's report of a successful run."""
        result = self.home.run(*arguments, environment={"LD_DEBUG": "files"})
        self.assertEqual(result.exit, 0, result)
        report = result.errors.decode(errors="replace")
        self.assertIn("libcrypto", report, "the loader reported nothing")
        return report

    def test_offline_commands_do_not_load_libcurl(self):
        for arguments in (["--help"], ["help", "fetch"], ["profile", "list"],
                          ["profile", "show"], ["pin", "list"], ["pin", "show", "localhost"],
                          ["token"], ["token", "--header"], ["token", "decode"],
                          ["completion", "bash"], ["logout", "--local"]):
            with self.subTest(" ".join(arguments)):
                self.assertNotIn("libcurl", self.loaded(*arguments))

    def test_a_fetch_does_load_it(self):
        self.assertIn("libcurl.so.4", self.loaded("fetch", "--unauth", "/public"))
