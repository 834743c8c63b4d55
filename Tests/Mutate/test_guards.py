"""Tests of what the mutation script rewrites."""

import unittest

from Mutate.guards import guards, masked, rewritten


def texts(swift, lines=None):
    return [guard.text for guard in guards(swift, lines)]


def mutated(swift, lines=None):
    return rewritten(swift, list(enumerate(guards(swift, lines), 1)))


class GuardTests(unittest.TestCase):
    def test_each_condition_of_a_guard_that_binds_nothing(self):
        swift = "guard let a = b[c, d], a > 3,\n  !e(f, g), case .h = i else { return }"
        self.assertEqual(texts(swift), ["a > 3", "!e(f, g)"])
        self.assertEqual(
            mutated(swift),
            "guard let a = b[c, d], holds(1, a > 3),\n"
            "  holds(2, !e(f, g)), case .h = i else { return }")

    def test_an_if_that_leaves(self):
        swift = "if let a, a > 3 { throw b }\nif c { d() }\nif e { return } else { f() }"
        self.assertEqual(texts(swift), ["let a, a > 3"])
        self.assertTrue(mutated(swift).startswith("if let a, a > 3, !isMutant(1)  { throw b }"))

    def test_a_static_limit(self):
        swift = "  private static let maximumCount = 64\n  static let limit = 32 << 20\n  static let name = 3\n"
        self.assertEqual(texts(swift), ["64", "32 << 20"])
        self.assertIn("limit = (isMutant(2) ? 4 : 1) * (32 << 20)\n", mutated(swift))

    def test_every_if_and_call_of_a_line_that_is_named(self):
        swift = "if c {\n  try await d(1)\n  let e = try f()\n}\n"
        self.assertEqual(texts(swift), [])
        self.assertEqual(texts(swift, {1}), ["c"])
        self.assertEqual(texts(swift, {2, 3}), ["try await d(1)"])
        self.assertIn("  if !isMutant(1) { try await d(1) }\n", mutated(swift, {2}))

    def test_nothing_in_comments_and_strings(self):
        swift = '// guard a else { return }\n/* if /* b */ c { return } */\nlet d = "guard e else {"\n'
        self.assertEqual(texts(swift), [])
        self.assertEqual(masked('"a\\(b("c)"))" + d // e'), '"           " + d     ')
        self.assertEqual(masked('#"a"b"# + """\nc "d"\n"""'), '#     # + "  \n     \n  "')

    def test_brackets_in_strings_do_not_end_a_condition(self):
        swift = 'guard a.contains("{"), b != ")," else { return }'
        self.assertEqual(texts(swift), ['a.contains("{")', 'b != "),"'])

    def test_closures_in_conditions(self):
        swift = "guard a.allSatisfy({ b($0, c) }) else { return }\nif a.contains(where: { $0 }) { return }"
        self.assertEqual(texts(swift), ["a.allSatisfy({ b($0, c) })", "a.contains(where: { $0 })"])

    def test_directives_and_names_are_no_guards(self):
        self.assertEqual(texts("#if DEBUG\nlet guarded = ifNot { return 1 }\n#endif\n"), [])

    def test_lines_stay_where_they_are(self):
        swift = "guard\n  a,\n  b\nelse { return }\nif c { return }\n"
        found = guards(swift)
        self.assertEqual([guard.line for guard in found], [2, 3, 5])
        self.assertEqual(mutated(swift).count("\n"), swift.count("\n"))


if __name__ == "__main__":
    unittest.main()
