import Arguments
import Primitives
import SDKCore

enum Deregister: Command {
  static let page = CommandInfo(
    name: "deregister", group: .access, summary: "Delete the registration and all tokens",
    description: """
      Revokes the tokens of all users and slots (RFC 7009), deletes the registration at the server \
      (RFC 7592), erases both here, and reports each step: `sdkctl deregister`. The profile and its pins \
      stay.

      The tokens are erased even if the server cannot be reached. If the server may still have the \
      registration, it is kept here too, so that you can try again, and the exit status is not 0. \
      One that the server no longer has (404, 410) is erased here.

      `--local` erases everything without asking the server. Use it if the server is gone, if it does \
      not allow deletion or no longer takes the registration's access token (401), or if the \
      registration or the tokens are damaged. A client that existed before {register} is erased here only.

      All users of the profile are logged out, because the server ends their tokens with the \
      registration. {user remove} removes one user and keeps the registration.

      `--all` does this for every profile, one after the other, and continues if one fails. At the \
      end it lists what could not be revoked; the exit status is that of the first failure.
      """,
    examples: [
      ("sdkctl deregister", "Delete the registration"),
      ("sdkctl deregister --yes --json | jq .steps", "Delete it in a script"),
      ("sdkctl deregister --all", "Delete the registrations of all profiles"),
      ("sdkctl deregister --local --yes", "Erase the registration at a server that is gone"),
    ],
    seeAlso: ["register", "logout", "user remove", "profile remove"],
    output: StepReport.rows.document.or("With `--all`", StepReport.rows.list),
    needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var local = false
    var all = false
    var yes = false
  }

  static let options: [Option<Arguments>] = [
    .flag("local", \.local, "Erase everything here; do not ask the server"),
    .flag("all", \.all, "Do it for every profile").excludes("profile"),
    .yes(\.yes, "Delete without asking"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if arguments.all { return try await runAll(arguments, context) }
    try context.noteFileChoice()
    let session = try context.session()
    let name = session.profile.name
    let kinds = try? await session.secrets().map(\.kind)
    let isEmpty = kinds.map { !$0.contains(.registration) && !$0.contains(.tokens) } ?? false
    try await context.confirm(
      "Delete the registration of '\(name)' and all its tokens?",
      isAgreed: arguments.yes || isEmpty)
    let steps = try await session.registration.deregister(isLocal: arguments.local)
    let report = StepReport(steps: steps, profile: name)
    report.print(context)
    if steps.isEmpty, !context.globals.json { context.note("'\(name)' was not registered") }
    try throwFailure(report, of: name)
  }

  private static func throwFailure(_ report: StepReport, of name: ProfileName) throws {
    let steps = report.steps
    // What the server refuses now it refuses the next time, too.
    let mayPass = steps.contains { step in
      if case .failed(let error) = step.outcome, step.action == .deleteRegistration {
        return ![.refused, .denied, .unsupported].contains(error.code)
      }
      return false
    }
    let isHeld = steps.contains { $0.action == .eraseRegistration && $0.outcome != .done }
    try report.throwFailure(
      "could not finish the deregistration: the server may still hold "
        + (isHeld ? "the registration" : "a grant"), .localDeregistration,
      hints: (isHeld && mayPass ? [ShellWord.sdkctl(of: name, "deregister")] : [])
        + (isHeld ? [ShellWord.sdkctl(of: name, "deregister", "--local")] : []))
  }

  // With `--all` each profile reports by itself, and none keeps another from it.

  private struct Result {
    let name: ProfileName
    var steps: [LogoutStep] = []
    var failure: Failure?
  }

  private static func runAll(_ arguments: Arguments, _ context: Context) async throws {
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
    for name in names { results.append(await end(name, arguments, context)) }
    if context.globals.json {
      context.print(
        results.map { StepReport(steps: $0.steps, profile: $0.name, error: $0.failure?.message) },
        StepReport.rows)
    }
    try throwFirst(of: results)
  }

  private static func end(
    _ name: ProfileName, _ arguments: Arguments, _ context: Context
  ) async -> Result {
    var result = Result(name: name)
    do {
      let session = try context.with(profile: name.description).session()
      result.steps = try await session.registration.deregister(isLocal: arguments.local)
      let report = StepReport(steps: result.steps, profile: name)
      if !context.globals.json, !result.steps.isEmpty {
        context.note("\(name):")
        report.print(context)
      }
      try throwFailure(report, of: name)
    } catch {
      result.failure = context.with(profile: name.description).failure(error)
    }
    return result
  }

  /// Fails as the first profile that did, and lists all of them.
  private static func throwFirst(of results: [Result]) throws {
    let failed = results.filter { $0.failure != nil }
    guard let first = failed.first?.failure else { return }
    var failure = Failure(
      first.code, exit: first.exit,
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
