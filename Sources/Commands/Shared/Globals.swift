import Arguments
import POSIX
package import SDKCore

package struct Globals: Sendable {
  package var profile: String?
  package var userID: UserID?
  package var json = false
  /// The one value to print of what `--json` would print.
  package var field: String? { didSet { json = true } }
  package var quiet = false
  package var verbosity = 0
  package var color = ColorChoice.auto
  package var timeout: Duration?
  package var trace: String?
  /// The file with the passcode of what is sealed.
  package var passcodeFile: String?
  /// The file with the passphrase of a key or an export.
  package var passphraseFile: String?

  package init() {}

  /// The time after which the command ends; `nil` for no limit.
  var timeLimit: Duration? { timeout == .zero ? nil : timeout }

  /// When what begins now must have ended; `nil` for no limit.
  var deadline: ContinuousClock.Instant? { timeLimit.map { .now.advanced(by: $0) } }

  /// The file for network exchanges, `-` for standard error; `nil` for none.
  var traceFile: String? { trace ?? (verbosity > 1 ? "-" : nil) }

  /// Whether errors are JSON: a script that reads one value reads errors as text.
  var hasJSONErrors: Bool { json && field == nil }

  static let options: [Option<Globals>] = [
    .value("profile", short: "p", "NAME", \.profile, "Use this profile, by name or issuer URL")
      .environment("SDKCTL_PROFILE").completing(.dynamic("profiles")),
    .value("user-id", "ID", \.userID, "Use the slots of this user of the profile")
      .environment("SDKCTL_USER_ID").completing(.dynamic("users"))
      .more("A profile can have several users; see {user}."),
    .flag("json", \.json, "Print JSON, and errors as JSON")
      .more("A command that prints no JSON has only its errors as JSON."),
    .value("field", "NAME", \.field, "Print one value of that JSON, raw")
      .completing(.dynamic("fields")),
    .flag("quiet", short: "q", \.quiet, "Print no notes on standard error"),
    .counted("verbose", short: "v", \.verbosity, "Describe what goes over the network")
      .more("Once, it prints a line for each step; twice, it prints what `--trace` writes."),
    .choice("color", "WHEN", \.color, "Colour output: auto, always or never")
      .environment("NO_COLOR"),
    .value("timeout", "SPAN", \.timeout, "End the command after that time")
      .more("0 means no limit. It does not end a wait for a person, standard input or a pipe."),
    .value("trace", "FILE", \.trace, "Write each network exchange to a file")
      .completing(.file)
      .more(
        """
        Requests and responses with their fields and bodies, decoded parameters and tokens, \
        connection, pins and times; of a login, registration or refresh too. Secrets are redacted. \
        `-` is standard error. A file whose name ends with `.har` becomes an HTTP archive (HAR 1.2) for browsers \
        and other programs; it is replaced.
        """),
    .secret("passcode", \.passcodeFile, "the passcode")
      .environment("SDKCTL_PASSCODE_FILE")
      .more(
        "The passcode opens what {profile seal} has sealed, and FIDO keys, which do not use the variable."
      ),
    .secret("passphrase", \.passphraseFile, "the passphrase of a key")
      .more(
        "Or of an export, or the PIN of a security token. Commands that make a key seal it with the passphrase; "
          + "{profile export} and {profile import} use it for secrets."
      ),
  ]
}

extension UserID: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> UserID {
    do throws(SDKError) { return try UserID(text) } catch {
      throw ValueError("expected 1 to 100 of A-Z a-z 0-9 . _ @ + -")
    }
  }
}

package enum ColorChoice: String, CaseIterable, Sendable {
  case auto, always, never

  func isWanted(onTerminal isTerminal: Bool, _ environment: Environment) -> Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: environment.wantsColor(onTerminal: isTerminal)
    }
  }
}

extension Environment {
  /// NO_COLOR has precedence; CLICOLOR_FORCE colours what is not for a terminal too.
  fileprivate func wantsColor(onTerminal isTerminal: Bool) -> Bool {
    if !(self["NO_COLOR"] ?? "").isEmpty { return false }
    if let force = self["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
    return isTerminal && self["CLICOLOR"] != "0" && self["TERM"] != "dumb"
  }
}
