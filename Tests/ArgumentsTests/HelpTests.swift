import Arguments
import Testing

@Suite struct HelpTests {
  private let catalog = Demo.table.catalog

  @Test func shortHelpSaysWhatACommandTakes() {
    #expect(catalog.help(["pin", "add"], .short) == Self.pinAdd)
  }

  @Test func longHelpSaysAll() {
    #expect(catalog.help(["token"], .long) == Self.token)
  }

  @Test func completeMainHelpListsExternalCommandsAndAliases() {
    let text = catalog.mainHelp(
      isComplete: true, externals: ["sandbox"], aliases: [(name: "me", expansion: "fetch /me")])
    #expect(text == Self.main)
  }

  @Test func shortHelpShowsTheFirstTenOptionsAndNamesTheOthers() {
    #expect(catalog.help(["fetch"], .short) == Self.shortFetch)
  }

  @Test func shortHelpListsSubcommands() {
    #expect(catalog.help(["token"], .short) == Self.shortToken)
  }

  @Test func optionsWithoutAHeadingComeFirst() throws {
    let text = try #require(catalog.help(["fetch"], .long))
    let titles = text.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
    #expect(titles == ["Examples:", "Operands:", "Options:", "Request options:"])
    let request = try #require(text.firstRange(of: "\nRequest options:"))
    let last = try #require(text.firstRange(of: "--client-secret-file"))
    #expect(last.upperBound < request.lowerBound)
  }

  @Test func shortMainHelpListsCommandsOnly() throws {
    let text = catalog.help([], .short) ?? ""
    let end = "See 'demo --help' for topics and options.\n"
    #expect(text.hasSuffix(end))
    // The short list has few empty lines: it must fit one screen. What to do first is before the commands.
    let main = catalog.mainHelp().replacing("\n\nWork:", with: "\nWork:")
      .replacing("\n\nUsage:", with: "\nUsage:")
    let commands = try main[..<#require(main.firstRange(of: "\nTopics of")).lowerBound]
    let first = "\nFirst:\n  Print a token\n    demo -p work token\n"
    #expect(text.replacing(first, with: "").dropLast(end.count) == commands)
    #expect(!text.contains("--version") && !text.contains("exit-codes"))
  }

  @Test func mainHelpListsCommandsTopicsAndGlobalOptions() {
    let text = catalog.help([], .long) ?? ""
    #expect(text == catalog.mainHelp())
    #expect(text.contains("\n  token  Print a token\n  pin    Keep the keys of hosts\n\nWork:"))
    #expect(!text.contains("token decode") && !text.contains("__set"))
    #expect(!text.contains("External") && !text.contains("Aliases"))
  }

  @Test func topicsAreShown() throws {
    let list = try catalog.help(about: ["topics"])
    #expect(list.hasPrefix("Topics of 'demo help':\n"))
    #expect(try catalog.help(about: ["formats"]) == Self.formats)
    #expect(try catalog.help(about: ["exit-codes"]).contains("* 6 (network): no connection. A "))
    #expect(
      try catalog.help(about: ["token", "decode"]) == catalog.help(["token", "decode"], .long))
  }

  @Test(
    "a subject without help is an error that suggests the nearest one",
    arguments: [
      (["fromats"], "no help on 'fromats'", "did you mean 'demo help formats'? see 'demo help'"),
      (["zzz", "y"], "no help on 'zzz y'", "see 'demo help'"),
      (
        ["pin", "sho"], "unknown command 'pin sho'", "did you mean 'pin show'? see 'demo help pin'"
      ),
    ])
  func noHelp(words: [String], message: String, hint: String) {
    let path = words[0] == "pin" ? ["pin"] : []
    let error = #expect(throws: UsageError.self) { try catalog.help(about: words) }
    #expect(error?.message == message)
    #expect(error?.hint == hint)
    #expect(error?.path == path)
    #expect(catalog.help(words, .short) == nil)
  }

  @Test func everythingFitsEightyColumns() {
    let paths = [
      [], ["token"], ["token", "decode"], ["pin"], ["pin", "add"], ["pin", "show"], ["fetch"],
      ["exec"],
    ]
    for path in paths {
      for length in [HelpLength.short, .long] {
        let lines = (catalog.help(path, length) ?? "").split(separator: "\n")
        #expect(lines.count > 3)
        #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
      }
    }
  }
}

extension HelpTests {
  private static let pinAdd = #"""
    Pin the keys of hosts

    Usage: demo pin add [OPTIONS] HOST...

    Examples:
      Pin the root
        demo pin add a.example:443 --role root --yes

    Operands:
      HOST...  Host, with an optional port

    Options:
      -r, --role ROLE   Pin only this key
          --label TEXT  Note this with the pin
      -y, --[no-]yes    Do not ask

    See 'demo pin add --help' for all options and examples.

    """#

  private static let shortToken = #"""
    Print a token

    Usage: demo token [OPTIONS]
           demo token COMMAND [OPTIONS] [ARGUMENTS]

    Examples:
      Call by hand
        curl -H "$(demo token --header)" https://example.org | jq .

    Options:
          --min-ttl SECONDS  Refresh when less life is left
      -H, --header           Print a header line

    Commands:
      decode  Show what is inside a token

    See 'demo token --help' for all options and examples.

    """#

  private static let shortFetch = #"""
    Fetch a resource

    Usage: demo fetch [OPTIONS] [METHOD] PATH

    Examples:
      Send a body
        demo fetch --user -X POST --data 'a b' /me

    Operands:
      [METHOD]  Request method
      PATH      Path or URL

    Options:
          --user           Fetch as the user
          --anonymous      Fetch as nobody
          --encoding FORM  Encode parameters like this
          --retry COUNT    Try again so often
          --port PORT      Connect to this port
      -o, --output FILE    Write the body to a file
      -C, --chdir DIR      Go there first
          --percent N      Send this much only
      -f, --[no-]fail      Fail on HTTP errors
          --client-secret-file FILE
                           Read the secret from a file (- is stdin)
      Others: --method, --header, --data

    See 'demo fetch --help' for all options and examples.

    """#

  private static let token = #"""
    Print a token

    Usage: demo token [OPTIONS]
           demo token COMMAND [OPTIONS] [ARGUMENTS]

    Prints the token on standard output. It is refreshed when it lives less than
    --min-ttl seconds; see 'demo token decode'. With --header it is a header line.

    Examples:
      Call by hand
        curl -H "$(demo token --header)" https://example.org | jq .

    Commands:
      decode  Show what is inside a token

    Options:
          --min-ttl SECONDS  Refresh when less life is left
      -H, --header           Print a header line

    Details:
      A second paragraph (of some length) shows how filled text is broken into
      lines.

    JSON:
      One object: token (text) and expires (ISO 8601).

    Exit codes:
      9  the server needs a certificate

    See also:
      demo token decode, demo help exit-codes, curl(1)

    Global options and exit codes: 'demo help'.

    """#

  private static let main = #"""
    demo - Show what a table can do

    Usage: demo [OPTIONS] COMMAND [ARGUMENTS]

    Keys:
      token         Print a token
      token decode  Show what is inside a token
      pin           Keep the keys of hosts
      pin add       Pin the keys of hosts
      pin show      Show the pins of a host

    Work:
      fetch  Fetch a resource
      exec   Run a program with a token

    External commands (demo-NAME on PATH):
      sandbox

    Aliases:
      me  fetch /me

    Topics of 'demo help':
      exit-codes  What an exit code says
      formats     Forms of input and output

    Global options:
      -p, --profile NAME     Use this profile
          --json             Print JSON
      -v, --verbose          Say more
          --timeout SECONDS  Give up after this long
      -h, --help             Show help (-h short, --help long)
          --version          Show the version

    Exit codes:
      0  it worked
      1  something else failed
      2  the command line is wrong
      6  no connection
      9  the server needs a certificate

    See 'demo help COMMAND' or 'demo help TOPIC' for more.

    """#

  private static let formats = #"""
    Forms of input and output

    Input

    A body comes from --data of 'demo fetch', or:

      .first line begins with a dot
      'second with a quote and a \ backslash

    * one item
    * another item that is "quoted"

    """#
}
