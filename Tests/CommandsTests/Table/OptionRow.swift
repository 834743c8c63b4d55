import Testing

/// What one option of one command is, and what it does to the arguments.
struct OptionRow: Sendable, CustomTestStringConvertible {
  var path: String
  let long: String
  var short: Character?
  /// A good value and its name in messages; `nil` for a switch.
  var value: (good: String, name: String)?
  /// The field that is set, and its value then.
  let field: String
  let result: String
  /// A bad value, and why.
  var bad: (text: String, reason: String)?
  /// What `--no-NAME` makes of the field, where there is one.
  var negated: String?
  /// Whether a switch with `--no-NAME` has three states, and is not on by default.
  var isTernary = false
  /// What twice the same makes of the field; `nil` where that is refused.
  var twice: String?
  /// Whether it says what holds without it.
  var isDefaultValue = false
  /// Whether it must stand before the operands, which are a foreign command line.
  var standsFirst = false
  /// What is given in place of the option, where something must be; `with` if `nil`.
  var without: [String]?
  /// What else must be given.
  var with: [String] = []

  var testDescription: String { "\(path) --\(long)" }

  /// The option with its value, as it is typed.
  var once: [String] { value.map { ["--\(long)", $0.good] } ?? ["--\(long)"] }

  /// Whether giving it changes nothing.
  var isDefault: Bool { isDefaultValue || negated != nil && !isTernary }

  static let commands: [OptionRow] =
    profile + pin + pinSets + pinLife + pinSources + register + registration + registrationOfUsers
    + login
    + grants + token
    + inspection + slots
    + fetch + fetchFiles + connections + batch + handout + others
    + identity + registeredIdentity
    + formLogin + fido + workload + tokenMaking + revocation

  private static let profile: [OptionRow] = [
    OptionRow(
      path: "status", long: "all", field: "all", result: "true", twice: "true"),
    OptionRow(
      path: "profile show", long: "sources", field: "sources", result: "true", twice: "true"),
    OptionRow(
      path: "profile metadata", long: "identity-providers", field: "identityProviders",
      result: "true", twice: "true"),
    OptionRow(
      path: "profile metadata", long: "fresh", field: "fresh", result: "true", twice: "true"),
    OptionRow(path: "deregister", long: "all", field: "all", result: "true", twice: "true"),
    OptionRow(path: "user remove", long: "all", field: "all", result: "true", twice: "true"),
    OptionRow(
      path: "user remove", long: "local", field: "local", result: "true", twice: "true"),
    OptionRow(
      path: "user remove", long: "yes", short: "y", field: "yes", result: "true", twice: "true"),
    OptionRow(path: "logout", long: "all", field: "all", result: "true", twice: "true"),
    OptionRow(
      path: "profile add", long: "issuer", value: ("https://id.test", "URL"), field: "issuer",
      result: "https://id.test", with: ["n"]),
    OptionRow(
      path: "profile add", long: "resource-url", value: ("https://api.test", "URL"),
      field: "resourceURL", result: "https://api.test", with: ["n"]),
    OptionRow(
      path: "profile add", long: "client-id", value: ("-x", "ID"), field: "clientID", result: "-x",
      with: ["n"]),
    OptionRow(
      path: "profile add", long: "scope", value: ("a b", "SCOPE"), field: "scope", result: "a b",
      with: ["n"]),
    OptionRow(
      path: "profile add", long: "ca-file", value: ("ca.pem", "FILE"), field: "caFile",
      result: "ca.pem", with: ["n"]),
    OptionRow(
      path: "profile add", long: "insecure-loopback", field: "insecureLoopback", result: "true",
      twice: "true", with: ["n"]),
    OptionRow(
      path: "profile add", long: "pin", field: "pin", result: "true", twice: "true", with: ["n"]),
    OptionRow(
      path: "profile add", long: "role", value: ("root", "ROLE"), field: "roles", result: "root",
      bad: ("ca", "expected leaf, intermediate, root or backup"), twice: "root | root", with: ["n"]),
    OptionRow(
      path: "profile add", long: "yes", short: "y", field: "yes", result: "true", twice: "true",
      with: ["n"]),
    OptionRow(
      path: "profile remove", long: "yes", short: "y", field: "yes", result: "true", twice: "true",
      with: ["n"]),
    OptionRow(
      path: "profile store move", long: "yes", short: "y", field: "yes", result: "true",
      twice: "true", with: ["files"]),
    OptionRow(
      path: "profile add", long: "store-key-file", value: ("f.pem", "FILE"), field: "keyFile",
      result: "f.pem", with: ["n"]),
    OptionRow(
      path: "profile add", long: "store-ca-file", value: ("f.pem", "FILE"),
      field: "authoritiesFile",
      result: "f.pem", with: ["n"]),
    OptionRow(
      path: "profile add", long: "store-certificate-file", value: ("f.pem", "FILE"),
      field: "certificateFile",
      result: "f.pem", with: ["n"]),
    OptionRow(
      path: "profile store move", long: "store-key-file", value: ("f.pem", "FILE"),
      field: "keyFile",
      result: "f.pem", with: ["files"]),
    OptionRow(
      path: "profile store move", long: "store-ca-file", value: ("f.pem", "FILE"),
      field: "authoritiesFile",
      result: "f.pem", with: ["files"]),
    OptionRow(
      path: "profile store move", long: "store-certificate-file", value: ("f.pem", "FILE"),
      field: "certificateFile",
      result: "f.pem", with: ["files"]),
    OptionRow(
      path: "profile store key export", long: "new", field: "isNew", result: "true", twice: "true"),
    OptionRow(
      path: "profile store key export", long: "output", short: "o", value: ("f", "FILE"),
      field: "output",
      result: "f"),
  ]

  private static let pin: [OptionRow] = [
    OptionRow(
      path: "pin add", long: "host", value: ("a.test", "HOST"), field: "pattern",
      result: "a.test", with: ["s"]),
    OptionRow(
      path: "pin add", long: "role", value: ("intermediate", "ROLE"), field: "roles",
      result: "intermediate",
      bad: ("ca", "expected leaf, intermediate, root or backup"),
      twice: "intermediate | intermediate", with: ["s"]),
    OptionRow(
      path: "pin add", long: "subdomains", field: "subdomains", result: "true", twice: "true",
      with: ["s"]),
    OptionRow(
      path: "pin add", long: "expires", value: ("2030-01-01", "DATE"), field: "expires",
      result: "2030-01-02T00:00:00Z", bad: ("soon", "not a date such as 2027-01-31"), with: ["s"]),
    OptionRow(
      path: "pin add", long: "yes", short: "y", field: "yes", result: "true", twice: "true",
      with: ["s"]),
    OptionRow(
      path: "pin remove", long: "yes", short: "y", field: "yes", result: "true", twice: "true",
      with: ["h"]),
  ]

  private static let others: [OptionRow] = [
    OptionRow(path: "logout", long: "local", field: "local", result: "true", twice: "true"),
    OptionRow(
      path: "logout", long: "end-session", field: "endSession", result: "true", twice: "true"),
    OptionRow(
      path: "help", long: "all", short: "a", field: "all", result: "true", twice: "true"),
  ]
}
