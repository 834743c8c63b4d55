/// The result of a check as a plugin of Nagios and its successors prints it: one line, and an exit status of their
/// own.
struct MonitoringResult {
  enum Level: Int, Comparable {
    case ok, warning, critical, unknown

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    var word: String { "\(self)".uppercased() }
  }

  /// What is checked, in capitals.
  let subject: String
  let summary: String
  let problems: [(level: Level, text: String)]

  /// Prints the line; throws the exit status 1, 2 or 3 if something is wrong.
  func print(_ context: Context) throws {
    let worst = problems.map(\.level).max() ?? .ok
    let causes = problems.isEmpty ? "" : ": " + problems.map(\.text).joined(separator: "; ")
    // The bar begins what graphs read.
    context.print(
      String("\(subject) \(worst.word) - \(summary)\(causes)".map { $0 == "|" ? "/" : $0 }))
    switch worst {
    case .ok: return
    // Plugins have these three.
    case .warning: throw Failure.silent(.failure)
    case .critical: throw Failure.silent(.usage)
    case .unknown: throw Failure.silent(.configuration)
    }
  }
}
