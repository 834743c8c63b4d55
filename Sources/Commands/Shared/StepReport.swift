import SDKCore

/// What is printed about the steps of a logout or a deregistration.
struct StepReport {
  let steps: [LogoutStep]
  let profile: ProfileName
  var error: String?

  /// Prints the document, or a note for each step.
  func print(_ context: Context) {
    if context.globals.json { return context.print(Self.rows.json(self)) }
    for step in steps { context.note(step.words) }
  }

  static let rows = Rows<StepReport>(
    .member("profile", "the profile") { $0.profile.description },
    .list("steps", "what was done", LogoutStep.rows) { $0.steps },
    .member("error", "with `--all`, why it failed") { $0.error })

  /// Whether no other step has failed.
  func failsOnly(at action: LogoutStep.Action) -> Bool {
    steps.allSatisfy { step in
      if case .failed = step.outcome { step.action == action } else { true }
    }
  }

  /// Fails if a step has, as the deletion does if it is among them, else as the first.
  ///
  /// The number is that of what was done here alone.
  func throwFailure(
    _ message: String, _ resource: ResourceError, hints: [String] = []
  ) throws {
    let failed = steps.compactMap { step in
      if case .failed(let error) = step.outcome { (action: step.action, error: error) } else { nil }
    }
    let decisive = failed.first { $0.action == .deleteRegistration } ?? failed.first
    guard let error = decisive?.error else { return }
    let cause = Failure(error, profile: profile)
    var failure = Failure(
      cause.code, exit: cause.exit, "\(message) (\(error.message))", hints: hints)
    failure.details = cause.details
    failure.resource = resource
    throw failure
  }
}

extension LogoutStep {
  var words: String {
    let place = [user?.description, slot?.rawValue].compactMap { $0 }.joined(separator: ", ")
    let subject = place.isEmpty ? action.words : "\(action.words) (\(place))"
    if case .pending(let rest) = outcome { return "\(subject): \(rest)" }
    return "\(subject): \(result.outcome)" + (result.message.map { ", \($0)" } ?? "")
  }

  static let rows = Rows<LogoutStep>(
    .member(
      "step",
      "`revoke_refresh_token`, `revoke_access_token`, `erase`, `erase_access_token`, `delete_registration`, "
        + "`erase_registration` or `end_session`"
    ) { $0.action.rawValue },
    .member("slot", "its slot") { $0.slot?.rawValue },
    .member("userID", "its user, if that is not `default`") { $0.user?.description },
    .member(
      "outcome", "`done`, `pending` if the user must confirm in a browser, `skipped` or `failed`"
    ) { $0.result.outcome },
    .member("message", "the explanation") { $0.result.message })

  private var result: (outcome: String, message: String?) {
    switch outcome {
    case .done: ("done", nil)
    case .pending(let rest): ("pending", rest)
    case .skipped(let reason): ("skipped", reason)
    case .skippedAsLocal: ("skipped", "--local was given")
    case .failed(let error): ("failed", error.message)
    }
  }
}
