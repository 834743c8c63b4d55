import Arguments
import Testing

@Suite struct HelpTests {
  @Test func everyPageFitsEightyColumns() {
    print(Demo.table.manual.help(["token"], .short)!)
    print(Demo.table.manual.help(["token"], .long)!)
    print(Demo.table.manual.help(["fetch"], .long)!)
    print(Demo.table.manual.mainHelp(isComplete: true, externals: ["sandbox"], aliases: [("me", "fetch /me")]))
    print(try! Demo.table.manual.help(about: ["formats"]))
    print(try! Demo.table.manual.help(about: ["exit-codes"]))
    print(Demo.table.read(["fetch", "--retyr", "3"]).outcome)
  }
}
