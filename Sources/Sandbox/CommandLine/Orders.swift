import Arguments
import JSON
import POSIX

/// `reset`: forget clients, tokens, people, faults and counters.
enum Reset: Command {
  static let page = CommandInfo(
    name: "reset", summary: "Forget clients, tokens, accounts, faults and counters",
    description: """
      The sandbox also makes a new signing key, but for that of RSA. Clients register anew.
      """,
    examples: [("sdkctl-sandbox reset", "Begin anew")])

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    _ = try context.client().ask("POST", "/reset")
    context.print("The sandbox is as new.")
  }
}

/// `rotate`: sign with new keys.
enum Rotate: Command {
  static let page = CommandInfo(
    name: "rotate", summary: "Sign with new keys",
    description: "The former ones stay published until the next rotation.",
    examples: [("sdkctl-sandbox rotate", "Sign with new keys")])

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    _ = try context.client().ask("POST", "/rotate")
    context.print("The sandbox signs with new keys.")
  }
}

/// `revoke`: revoke identities that the enrolment services issued.
enum Revoke: Command {
  static let page = CommandInfo(
    name: "revoke", summary: "Revoke identities that were issued",
    description: """
      Revokes all identities that the enrolment services issued, or the one with a serial number.
      """,
    examples: [("sdkctl-sandbox revoke", "Revoke all of them")],
    output: OutputDoc(.document, [MemberDoc("revoked", "the number of identities")]))

  struct Arguments: CommandArguments {
    var json = false
    var serial: String?
  }

  static let options: [Option<Arguments>] = [.json(\.json)]
  static let operands: [Operand<Arguments>] = [
    .optional("SERIAL", \.serial, "The one with this serial number")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    var query = Form()
    query.append("serial", arguments.serial)
    let answer = try context.client().ask("POST", query.appended(to: "/revoke"))
    guard !arguments.json else { return context.print(answer) }
    context.print("Revoked \(answer["revoked"]?.integer ?? 0) identities.")
  }
}

/// `log`: print the log.
enum Log: Command {
  static let page = CommandInfo(
    name: "log", summary: "Print the log",
    description: "One line a request, without query, body and credentials.",
    examples: [("sdkctl-sandbox log", "Print the log")])

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    guard let log = try context.directory().read(.log) else {
      throw Failure(
        "could not read the log: there is none yet", hint: "sdkctl-sandbox start --background",
        exit: .store)
    }
    Output.standard.write(log)
  }
}

extension Option {
  /// `--json`.
  static func json(_ path: any Path<Bool>) -> Self { .flag("json", path, "Print JSON") }
}
