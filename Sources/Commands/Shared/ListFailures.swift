/// What failed of a list that a command works through to its end.
struct ListFailures: Sendable {
  private var all: [Failure] = []

  /// Adds a failure.
  ///
  /// The only one of a list of one ends the command; of a longer list each is reported at once.
  mutating func add(_ error: any Error, of count: Int, in context: Context) {
    let failure = context.failure(error)
    all.append(failure)
    if count > 1 {
      context.warning(failure.message, details: failure.details, hint: failure.hints.first)
    }
  }

  /// Throws if something failed: with the status of what a script must not try again, if there is such.
  func requireNone(of count: Int, to verb: String, _ noun: String) throws {
    guard
      let worst = all.first(where: { $0.exit == .pin }) ?? all.first(where: { !$0.isRetryable })
        ?? all.first
    else { return }
    if count == 1 { throw worst }
    var failure = Failure(
      worst.code, exit: worst.exit, "could not \(verb) \(all.count) of \(count) \(noun)")
    failure.isRetryable = worst.isRetryable
    throw failure
  }
}
