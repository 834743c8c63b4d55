import JSON
import POSIX

/// Warnings and errors for standard error: for people, or with `--json` as an object on its line.
struct Warnings: Sendable {
  let errors: Output
  let isJSON: Bool
  var isColoured = false

  /// Writes one warning, with further lines and a command that helps.
  func write(_ text: String, details: [String] = [], hint: String? = nil) {
    errors.write(
      isJSON ? Self.json(text, details, hint) : lines(text, details, hint))
  }

  /// An error, with further lines and the actions that help.
  func text(of failure: Failure) -> String {
    guard !isJSON else { return JSON.object(["error": failure.json]).serialized() + "\n" }
    let label = Tone.bad.coloured("error:", if: isColoured, isLabel: true)
    let lines =
      ["sdkctl: \(label) \(Visible.line(failure.message))"]
      + failure.details.map { "  \(Visible.line($0))" }
      + failure.hints.map { "sdkctl: hint: \(Visible.line($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  static func json(_ text: String, _ details: [String], _ hint: String?) -> String {
    let members = JSONObject(present: [
      "message": .string(Visible.line(text)),
      "details": details.isEmpty ? nil : .strings(details.map { Visible.line($0) }),
      "hint": hint.map { .string(Visible.line($0)) },
    ])
    return JSON.object(["warning": .object(members)]).serialized() + "\n"
  }

  func lines(_ text: String, _ details: [String], _ hint: String?) -> String {
    let label = Tone.warning.coloured("warning:", if: isColoured, isLabel: true)
    let lines =
      ["\(label) \(Visible.line(text))"] + details.map { "  \(Visible.line($0))" }
      + (hint.map { ["hint: \(Visible.line($0))"] } ?? [])
    return lines.map { "sdkctl: \($0)\n" }.joined()
  }
}

extension Warnings {
  init(_ globals: Globals, _ ports: Ports) {
    self.init(
      errors: ports.errors, isJSON: globals.hasJSONErrors,
      isColoured: globals.color.isWanted(
        onTerminal: ports.terminal.isTerminal(.errors), ports.environment))
  }
}
