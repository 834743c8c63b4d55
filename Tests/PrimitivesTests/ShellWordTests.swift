import TestSupport

struct ShellWordTests {
  @Test(arguments: [
    ("plain/name-1.json", "plain/name-1.json"), ("", "''"), ("a b", "'a b'"), ("$x", "'$x'"),
    ("it's", "'it'\\''s'"), ("=ls", "'=ls'"), ("a=b=", "a=b="), ("~", "'~'"), ("é", "'é'"),
    ("'\u{301};id;'", "''\\''\u{301};id;'\\'''"), ("a\r\n'", "'a\r\n'\\'''"),
  ])
  func aWordIsQuotedForTheShell(text: String, quoted: String) {
    #expect(Array(ShellWord.quoted(text).utf8) == Array(quoted.utf8))
    #expect(ShellWord.split(quoted)?.map { Array($0.utf8) } == [Array(text.utf8)])
  }

  @Test("single quotes are put around any text, and every quote in it is left alone")
  func singleQuotes() {
    #expect(ShellWord.singleQuoted("a") == "'a'")
    #expect(ShellWord.singleQuoted("'\u{301}") == "''\\''\u{301}'")
    #expect(ShellWord.split(ShellWord.singleQuoted("it's")) == ["it's"])
  }
}
