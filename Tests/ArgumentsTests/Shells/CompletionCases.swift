import Testing

/// What every shell must offer, whatever its way to do so.
struct CompletionCase: Sendable, CustomTestStringConvertible {
  let line: String

  /// Full words, sorted.
  let offers: [String]

  var testDescription: String { line }

  init(_ line: String, _ offers: [String]) {
    self.line = line
    self.offers = offers
  }

  static let all: [CompletionCase] = [
    .init("demo ", ["exec", "fetch", "pin", "sandbox", "token"]),
    .init("demo p", ["pin"]),
    .init("demo __", []),
    .init("demo token ", ["decode"]),
    .init("demo --json pin ", ["add", "show"]),
    .init("demo -p work pin ", ["add", "show"]),
    .init("demo --profile=work pin s", ["show"]),
    .init("demo -vp work pin s", ["show"]),
    .init("demo -p ", ["home", "work", "work-eu"]),
    .init("demo --profile w", ["work", "work-eu"]),
    .init("demo --profile=w", ["work", "work-eu"]),
    .init("demo token -p h", ["home"]),
    .init("demo pin show ", ["a.example:443", "a.example:444", "b.example"]),
    .init("demo pin show a.example:", ["a.example:443", "a.example:444"]),
    .init("demo -p work pin show ", ["work.example"]),
    .init("demo pin add --r", ["--role"]),
    .init("demo pin add --role ", ["intermediate", "leaf", "root"]),
    .init("demo pin add --role=", ["intermediate", "leaf", "root"]),
    .init("demo pin add x -r l", ["leaf"]),
    .init("demo fetch --no", ["--no-fail"]),
    .init("demo fetch --encoding ", ["form", "json"]),
    .init("demo fetch -X ", []),
    .init(
      "demo token decode --", ["--help", "--json", "--profile", "--raw", "--timeout", "--verbose"]),
    .init("demo token decode files/f", ["files/first", "files/folder"]),
    .init("demo fetch --output files/s", ["files/second one"]),
    .init("demo fetch --output=files/s", ["files/second one"]),
    .init("demo fetch --chdir files/", ["files/folder"]),
    .init("demo exec -- demo-s", ["demo-sandbox"]),
    .init("demo sandbox files/fi", ["files/first"]),
    .init("demo __set m", ["mode=", "mode=fast"]),
    // An option is offered again only if it may be repeated.
    .init("demo fetch --user --anon", []),
    .init("demo fetch --encoding form --enco", []),
    .init("demo fetch -X PUT --meth", []),
    .init("demo fetch -H a: --head", ["--header"]),
    .init("demo -v fetch --verb", ["--verbose"]),
  ]
}
