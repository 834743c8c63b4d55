import Arguments
import JSON
import POSIX
import SDKCore

/// The text of an error: lines for people, one object with `--json`; always for standard error.
struct ErrorReport {
  let globals: Globals
  let environment: Environment
  let isTerminal: Bool

  func text(_ failure: Failure) -> String {
    globals.hasJSONErrors ? json(failure) : lines(failure)
  }

  private func lines(_ failure: Failure) -> String {
    let label = Tone.bad.coloured("error:", if: colored, isLabel: true)
    var lines = ["sdkctl: \(label) \(Visible.line(failure.message))"]
    lines += failure.details.map { "  \(Visible.line($0))" }
    lines += failure.hints.map { "sdkctl: hint: \(Visible.line($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func json(_ failure: Failure) -> String {
    JSON.object(["error": failure.json]).serialized() + "\n"
  }

  private var colored: Bool { globals.color.isWanted(onTerminal: isTerminal, environment) }
}

extension Failure {
  /// The failure as programs read it.
  var json: JSON {
    .members([
      "code": .string(code.rawValue),
      "exit": .int(Int64(exit.rawValue)),
      "message": .string(message),
      "retryable": .bool(isRetryable),
      "hint": JSON(hints.first),
      "domain": .string(resource.domain.rawValue),
      "number": .int(Int64(resource.number)),
      "details": details.isEmpty ? nil : .strings(details),
    ])
  }
}
