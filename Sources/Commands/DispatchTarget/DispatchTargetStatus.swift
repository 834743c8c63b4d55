import Arguments
import JSON
import POSIX
import SDKCore

/// `sdkctl dispatch-target status` -- wait for the end of an out-of-band operation.
enum DispatchTargetStatus: Command {
  static let page = CommandInfo(
    name: "status", summary: "Wait for the end of an out-of-band operation",
    description: """
      Asks the FIDO server every two seconds how far an operation is that another device does, until \
      it has ended: `sdkctl dispatch-target status`. It waits for at most \
      `fido.userInteractionTimeout` seconds (240). On a terminal a line shows the step.

      The session is the `sessionId` of the response with which the server made the token of the \
      operation; the whole response may be given. Whoever has it sees the user, so it is typed, or \
      read from standard input or a file.

      The exit status is 0 if the operation has succeeded, 5 if it has failed or is not known \
      (any more), and 6 if it has not ended in time. No login is needed.
      """,
    examples: [
      ("sdkctl dispatch-target status", "Type the session, and wait"),
      (
        "sdkctl dispatch-target status --session-file response.json --once --json",
        "Ask once"
      ),
    ],
    exitCodes: [3, 5, 6, 7, 8, 14], seeAlso: ["dispatch-target create", "login fido"],
    json: """
      An object with `profile`, `status` (`tokenCreated`, `clientRegistering`, \
      `clientAuthenticating`, `succeeded`, `failed` or `unknown`) and `response`, the whole response \
      of the server.
      """,
    needs: [.network, .terminal])

  struct Arguments: CommandArguments {
    var sessionFile: String?
    var once = false
  }

  static let options: [Option<Arguments>] =
    [.secret("session", \.sessionFile, "the session")] + [
      .flag("once", nil, \.once, "Ask once; do not wait")
    ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    try session.fido.requireServer()
    let identifier = try await identifier(arguments, context)
    let status = try await status(of: identifier, once: arguments.once, session, context)
    if context.globals.json {
      context.print([
        "profile": .string(session.profile.name.description),
        "status": .string(status.progress.rawValue), "response": status.document,
      ])
    } else {
      context.print(status.progress.rawValue)
    }
    guard !arguments.once, status.progress != .succeeded else { return }
    throw Failure(
      .refused, "refused",
      "could not wait for the end of the operation: "
        + (status.progress == .failed
          ? "it has failed" : "the server does not know it, or not any more"))
  }

  /// The session, which may be a member of a response.
  @inline(never)
  private static func identifier(
    _ arguments: Arguments, _ context: Context
  ) async throws -> String {
    guard let file = arguments.sessionFile else {
      return try await context.typedSecret("Session: ", "session")
    }
    let bytes = try context.secretBytes("session", file: file)
    if let response = try? JSON(parsing: bytes), let session = response["sessionId"]?.string {
      return session
    }
    return try SecretFile.line(in: bytes, "session")
  }

  @inline(never)
  private static func status(
    of identifier: String, once: Bool, _ session: ProfileSession, _ context: Context
  ) async throws -> OperationStatus {
    guard !once else { return try await session.fido.status(of: identifier) }
    let isShown = context.terminal.isTerminal(.errors) && !context.globals.quiet
    let errors = context.errors
    defer { if isShown { errors.write("\r\u{1b}[K") } }
    return try await session.fido.waitForEnd(of: identifier) { status in
      if isShown { errors.write("\r\u{1b}[K\(status.progress.text)") }
    }
  }
}

extension OperationStatus.Progress {
  /// What a person reads while the operation goes on.
  fileprivate var text: String {
    switch self {
    case .created: "waiting for the other device"
    case .registering: "the other device registers a key"
    case .authenticating: "the other device authenticates the user"
    case .succeeded, .failed, .unknown: rawValue
    }
  }
}
