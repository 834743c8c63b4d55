import SDKCore

/// The deregistration of every profile: each reports by itself, and none keeps another from it.
struct DeregisterAll {
  private let arguments: Deregister.Arguments
  private let context: Context

  init(_ arguments: Deregister.Arguments, _ context: Context) {
    self.arguments = arguments
    self.context = context
  }

  private struct Result {
    let name: ProfileName
    var steps: [LogoutStep] = []
    var failure: Failure?
  }

  func run() async throws {
    let store = try context.store()
    let names = try store.names()
    let list = names.map(\.description).joined(separator: ", ")
    guard !names.isEmpty else {
      context.note("there are no profiles")
      if context.globals.json { context.print([], StepReport.rows) }
      return
    }
    if arguments.yes || context.isInteractive {
      context.show(["profiles: \(list)"], isAgreed: arguments.yes)
    }
    try await context.confirm(
      "Delete the registrations of \(names.count) profiles and all their tokens?",
      isAgreed: arguments.yes)
    var results: [Result] = []
    for name in names { results.append(await end(name)) }
    if context.globals.json {
      context.print(
        results.map { StepReport(steps: $0.steps, profile: $0.name, error: $0.failure?.message) },
        StepReport.rows)
    }
    try report(results)
  }

  private func end(_ name: ProfileName) async -> Result {
    var result = Result(name: name)
    do {
      let session = try context.with(profile: name.description).session()
      result.steps = try await session.registration.deregister(isLocal: arguments.local)
      let report = StepReport(steps: result.steps, profile: name)
      if !context.globals.json, !result.steps.isEmpty {
        context.note("\(name):")
        report.note(context)
      }
      try Deregister.throwFailure(report, of: name)
    } catch {
      result.failure = context.with(profile: name.description).failure(error)
    }
    return result
  }

  /// Fails as the first profile that did, and lists all of them.
  private func report(_ results: [Result]) throws {
    let failed = results.filter { $0.failure != nil }
    guard let first = failed.first?.failure else { return }
    var failure = Failure(
      first.exit, first.code,
      "could not deregister \(failed.count) of \(results.count) profiles", hints: first.hints)
    failure.details = failed.flatMap { result in
      ["\(result.name): \(result.failure?.message ?? "")"]
        + result.steps.filter(\.hasFailed).map { "\(result.name): \($0.words)" }
    }
    failure.resource = first.resource
    throw failure
  }
}

extension LogoutStep {
  fileprivate var hasFailed: Bool {
    if case .failed = outcome { true } else { false }
  }
}
