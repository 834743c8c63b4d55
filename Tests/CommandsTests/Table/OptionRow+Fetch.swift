/// The options of fetch, and those for connections.
extension OptionRow {
  static let fetch: [OptionRow] = [
    OptionRow(
      path: "fetch", long: "user", field: "access", result: "user", twice: "user", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "implicit", field: "access", result: "implicit", twice: "implicit",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "anonymous", field: "access", result: "anonymous", twice: "anonymous",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "unauth", field: "access", result: "unauthenticated",
      twice: "unauthenticated", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "identity", value: ("api.test", "NAME"), field: "identity",
      result: "named(api.test)", bad: (".x", "expected the name of an identity"), with: ["/x"]),
    OptionRow(
      path: "fetch", long: "no-identity", field: "identity", result: "none", twice: "none",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "request", short: "X", value: ("PUT", "METHOD"), field: "method",
      result: "PUT", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "header", short: "H", value: ("A: b", "'NAME: VALUE'|@FILE"),
      field: "headers", result: #"field(name: "A", value: "b")"#,
      bad: ("A", "expected 'Name: value' or @FILE"),
      twice: #"field(name: "A", value: "b") | field(name: "A", value: "b")"#, with: ["/x"]),
    OptionRow(
      path: "fetch", long: "param", value: ("a=b", "NAME=VALUE|NAME:=JSON"), field: "parameters",
      result: #"Parameter(name: "a", value: "b", json: nil, file: nil)"#,
      bad: ("=b", "expected NAME=VALUE or NAME:=JSON"),
      twice:
        #"Parameter(name: "a", value: "b", json: nil, file: nil) | Parameter(name: "a", value: "b", json: nil, file: nil)"#,
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "encoding", value: ("form", "ENCODING"), field: "encoding",
      result: "formURL", bad: ("xml", "expected json, form or form-json"), with: ["/x"]),
    OptionRow(
      path: "fetch", long: "data", short: "d", value: ("@-", "TEXT|@FILE"), field: "data",
      result: "@-", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "output", short: "o", value: ("-", "FILE"), field: "output",
      result: "-", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "include", short: "i", field: "include", result: "true", twice: "true",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "interactive", field: "interactive", result: "true", twice: "true",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "strict-pins", field: "strictPins", result: "true", twice: "true",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "fail", field: "fail", result: "true", negated: "false", twice: "true",
      with: ["/x"]),
  ]

  static let fetchFiles: [OptionRow] = [
    OptionRow(
      path: "fetch", long: "form", short: "F", value: ("a=b", "NAME=VALUE|NAME=@FILE"),
      field: "form", result: "a text b - -", bad: ("a", "expected NAME=VALUE or NAME=@FILE"),
      twice: "a text b - - | a text b - -", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "retry", value: ("3", "NUMBER"), field: "retry", result: "3",
      bad: ("1001", "not a number from 0 to 1000"), with: ["/x"]),
    OptionRow(
      path: "fetch", long: "head", short: "I", field: "head", result: "true", twice: "true",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "range", short: "r", value: ("0-9", "RANGE"), field: "range",
      result: "ByteRanges(field: \"bytes=0-9\")",
      bad: ("abc", "not a range such as 0-499, 500- or -500"), with: ["/x"]),
    OptionRow(
      path: "fetch", long: "location", short: "L", field: "follows", result: "true",
      negated: "false", twice: "true", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "compressed", field: "compressed", result: "true", twice: "true",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "max-size", value: ("2K", "SIZE"), field: "maximumSize",
      result: "ByteSize(bytes: 2048)",
      bad: ("2T", "not a size such as 5000, 100K, 20M or 2G"), with: ["/x"]),
    OptionRow(
      path: "fetch", long: "write-out", short: "w", value: ("%{http_code}", "FORMAT|@FILE"),
      field: "writeOut", result: "%{http_code}", bad: ("%{x}", "there is no variable 'x'"),
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "remote-name", short: "O", field: "remoteName", result: "true",
      twice: "true", with: ["/x"]),
    OptionRow(
      path: "fetch", long: "output-dir", value: ("d", "DIRECTORY"), field: "outputDirectory",
      result: "d", with: ["/x", "-O"]),
    OptionRow(
      path: "fetch", long: "create-dirs", field: "createDirectories", result: "true",
      twice: "true", with: ["/x", "-O"]),
    OptionRow(
      path: "fetch", long: "clobber", field: "clobber", result: "true", negated: "false",
      twice: "true", with: ["/x", "-O"]),
    OptionRow(
      path: "fetch", long: "continue", field: "continues", result: "true", twice: "true",
      with: ["/x", "-o", "f"]),
    OptionRow(
      path: "fetch", long: "dry-run", field: "preview", result: "dryRun", twice: "dryRun",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "as-curl", field: "preview", result: "curl", twice: "curl",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "etag-save", value: ("f", "FILE"), field: "etagSave", result: "f",
      with: ["/x"]),
    OptionRow(
      path: "fetch", long: "etag-compare", value: ("f", "FILE"), field: "etagCompare",
      result: "f", with: ["/x"]),
  ]

  static let connections: [OptionRow] = [
    ("fetch", ["/x"]), ("proxy", []), ("pin add", ["h"]), ("pin check", []), ("pin show", ["h"]),
    ("pin hash", ["h"]),
  ].flatMap { path, words in
    [
      OptionRow(
        path: path, long: "connect-timeout", value: ("2", "SPAN"), field: "connectTimeout",
        result: "2.0 seconds",
        bad: ("soon", "not a time span such as 30, 1.5, 250ms, 5m or 2h"), with: words),
      OptionRow(
        path: path, long: "resolve", value: ("a.test:443:127.0.0.1", "HOST:PORT:ADDRESS"),
        field: "resolve", result: "a.test:443:127.0.0.1",
        bad: ("a.test", "expected HOST:PORT:ADDRESS"),
        twice: "a.test:443:127.0.0.1 | a.test:443:127.0.0.1", with: words),
      OptionRow(
        path: path, long: "connect-to", value: ("::b.test:", "HOST1:PORT1:HOST2:PORT2"),
        field: "connectTo", result: "::b.test:",
        bad: ("b.test", "expected HOST1:PORT1:HOST2:PORT2"), twice: "::b.test: | ::b.test:",
        with: words),
    ]
  }
}
