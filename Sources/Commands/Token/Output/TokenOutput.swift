import Arguments
import POSIX
import Primitives
import SDKCore

/// `sdkctl token --output FILE` -- write the token to a file, and keep it valid there.
extension Token {
  struct OutputArguments: Sendable {
    var path: String?
    var mode: UInt32 = 0o600
    var isWatched = false
    var command: String?
  }

  private static let notInFiles = [
    "json", "field", "cookie", "cookie-jar", "proof-for",
  ]

  static let outputOptions: [Option<Arguments>] = [
    .value("output", short: "o", "FILE", \.output.path, "Write the token to a file").completing(
      .file
    )
    .excludes(notInFiles)
    .more(
      """
      The file is replaced as a whole, and a symbolic link is refused. The token alone has no line \
      break at its end, because not every program removes it.
      """),
    .value("mode", "MODE", \.output.mode, "Give the file this mode (0600)", parse: TokenFile.mode)
      .needs("output"),
    .flag("watch", \.output.isWatched, "Stay, and write a new token before it expires")
      .needs("output")
      .more(
        """
        A new token is written at a random time of the minute before it is valid for less than `--min-ttl`, \
        or when half of its time has passed if that is short; also if another process stores another \
        one. After a failure of the network, or if the file cannot be written, it tries again, with pauses \
        from a second to five minutes; the old file stays. If only a person can help, it ends with the \
        status of any `token`. SIGTERM, SIGINT and SIGHUP end it; the file stays. `--timeout` is for one \
        renewal.
        """),
    .value("on-change", "COMMAND", \.output.command, "Run this after each new token")
      .needs("watch")
      .more(
        """
        By `sh -c`, with SDKCTL_TOKEN_FILE, without the token, and for a minute at most. What it writes goes \
        to standard error; if it fails, a warning says so.
        """),
  ]

  /// Writes the file once, or until a signal ends the program.
  static func write(
    to path: String, _ arguments: Arguments, in context: Context
  ) async throws {
    let file = TokenFile(path: path, mode: arguments.output.mode)
    let command = arguments.output.command
    var watch = TokenWatch(
      context, file, arguments.selection.demand,
      obtain: { try await content(arguments, $1, in: $0) },
      changed: { if let command { await notify(command, of: file, context) } })
    try await arguments.output.isWatched ? watch.run() : watch.begin()
  }

  private static func content(
    _ arguments: Arguments, _ demand: TokenDemand, in context: Context
  ) async throws -> WrittenToken {
    let session = try context.session()
    let selection = arguments.selection.demanding(demand)
    if selection.idToken {
      let token = try await selection.idToken(in: session, context)
      return WrittenToken(
        lines: arguments.form.lines(bearer: token.text, of: session.profile), expires: token.expires
      )
    }
    let tokens = try await selection.token(in: session, context)
    try requireUnexpired(tokens, session, context)
    return WrittenToken(
      lines: arguments.form.lines(tokens, of: session.profile), expires: tokens.expires)
  }

  private static func notify(_ command: String, of file: TokenFile, _ context: Context) async {
    var environment = context.environment.forHelpers
    environment["SDKCTL_TOKEN_FILE"] = file.path
    do throws(SpawnError) {
      let run = try await Spawn.run(
        "/bin/sh", ["-c", command], environment: environment, sharesErrors: true,
        timeout: .seconds(60))
      context.errors.write(run.output)
      if !run.status.isSuccess {
        context.warning("the command of --on-change failed: it \(run.status)")
      }
    } catch {
      if error != .cancelled { context.warning("the command of --on-change failed: \(error)") }
    }
  }
}
