import Arguments
import Testing

/// Each kind of option: absent, long, `=`, short, joined, repeated, bad value.
@Suite struct OptionKindTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let words: [String]
    let expected: @Sendable (inout Fetch.Arguments) -> Void

    var testDescription: String { words.joined(separator: " ") }

    init(_ words: [String], _ expected: @escaping @Sendable (inout Fetch.Arguments) -> Void) {
      self.words = words
      self.expected = expected
    }
  }

  static let accepted: [Case] = [
    Case([]) { _ in },
    // A switch with a negation; the last one counts.
    Case(["--fail"]) { $0.fail = true },
    Case(["--no-fail"]) { $0.fail = false },
    Case(["--no-fail", "-f"]) { $0.fail = true },
    Case(["-f", "--no-fail"]) { $0.fail = false },
    // A switch that stands for a value.
    Case(["--anonymous"]) { $0.access = .anonymous },
    Case(["--anonymous", "--anonymous"]) { $0.access = .anonymous },
    // Text.
    Case(["--method", "PUT"]) { $0.method = "PUT" },
    Case(["--method=PUT"]) { $0.method = "PUT" },
    Case(["-X", "PUT"]) { $0.method = "PUT" },
    Case(["-XPUT"]) { $0.method = "PUT" },
    Case(["-X=PUT"]) { $0.method = "=PUT" },
    Case(["-fXPUT"]) { $0.method = "PUT" },
    Case(["-X", "--json"]) { $0.method = "--json" },
    // Numbers.
    Case(["--retry", "3"]) { $0.retries = 3 },
    Case(["--retry=-3"]) { $0.retries = -3 },
    Case(["--port=65535"]) { $0.port = 65535 },
    Case(["--percent", "100"]) { $0.percent = 100 },
    // A choice.
    Case(["--encoding", "form"]) { $0.encoding = .form },
    Case(["--encoding=form"]) { $0.encoding = .form },
    // A list.
    Case(["-H", "a: b", "--header=c:"]) { $0.headers = ["a: b", "c:"] },
    Case(["-Ha:b", "-Ha:b"]) { $0.headers = ["a:b", "a:b"] },
    // Files, and secrets.
    Case(["-oout", "-C", "/tmp"]) {
      $0.output = "out"
      $0.directory = "/tmp"
    },
    Case(["--client-secret-file", "s"]) { $0.secretFile = "s" },
  ]

  @Test("reads", arguments: accepted)
  func reads(_ example: Case) async {
    #expect(await Demo.fetched(example.words) == Demo.fetch(example.expected))
  }

  @Test(
    "refuses",
    arguments: [
      (["--fail=1"], "option '--fail' takes no value"),
      (["--no-fail=1"], "option '--no-fail' takes no value"),
      (["-f=1"], "unknown option '-='"),
      (["--no-user"], "unknown option '--no-user'"),
      (["--user", "--anonymous"], "'--user' and '--anonymous' cannot be used together"),
      (["--method", "A", "-X", "B"], "option '--method' may be given only once"),
      (["--retry", "x"], "invalid value 'x' for '--retry': not a whole number"),
      (["--retry="], "invalid value '' for '--retry': it is empty"),
      (["--method="], "invalid value '' for '--method': it is empty"),
      (["--retry=+1"], "invalid value '+1' for '--retry': not a whole number"),
      (["--port=65536"], "invalid value '65536' for '--port': out of range (0 to 65535)"),
      (["--port=-1"], "invalid value '-1' for '--port': out of range (0 to 65535)"),
      (["--percent=101"], "invalid value '101' for '--percent': expected a number up to 100"),
      (["--encoding=xml"], "invalid value 'xml' for '--encoding': expected json or form"),
      (["--encoding=JSON"], "invalid value 'JSON' for '--encoding': expected json or form"),
      (["--encodin=json"], "unknown option '--encodin'"),
      (["-H", "ab"], "invalid value 'ab' for '-H': expected 'Name: value'"),
      (["-Q"], "unknown option '-Q'"),
      (["-Qh"], "unknown option '-Q'"),
      (["--bogus=x"], "unknown option '--bogus'"),
      (["--=x"], "unknown option '--'"),
      (["--\u{1b}[31m"], "unknown option '--\\u{1B}[31m'"),
      (["--retry", "7", "--client-secret-file=f"], "the secret does not go with 7 tries"),
    ])
  func refuses(words: [String], message: String) async {
    #expect(await Demo.fetched(words) == "usage: \(message)")
  }

  @Test(
    "a missing value is an error",
    arguments: [
      (["-X"], "option '-X' needs a value (METHOD)"),
      (["--retry"], "option '--retry' needs a value (COUNT)"),
      (["-fo"], "option '-o' needs a value (FILE)"),
    ])
  func misses(words: [String], message: String) async {
    #expect(await Demo.told(["fetch"] + words) == "usage: \(message)")
  }

  @Test func anOptionalChoiceIsRead() async {
    let arguments = PinAdd.Arguments(hosts: ["h"], role: .root, roles: ["a", "b"])
    let words = ["pin", "add", "-rroot", "--label=a", "h", "--label", "b"]
    #expect(await Demo.told(words) == "add \(arguments)")
    #expect(
      Demo.usageError(["pin", "add", "h", "-r", "x"])?.message
        == "invalid value 'x' for '-r': expected leaf, intermediate or root")
  }
}
