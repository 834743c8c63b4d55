import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

/// `sdkctl token diff` -- compare two tokens.
enum TokenDiff: Command {
  static let page = CommandInfo(
    name: "diff", summary: "Compare the contents of two tokens",
    description: """
      Prints the members of header and claims in which two tokens differ: \
      `sdkctl token diff old.jwt new.jwt`. With A alone it compares that token with the stored \
      access token of the profile, or with `--id-token` the ID token. It uses no network and does \
      not verify the signatures. The status is 0 also if they differ; see `equal` of the JSON.
      """,
    examples: [
      ("sdkctl token diff old.jwt new.jwt", "Compare two files"),
      ("sdkctl token diff old.jwt", "Compare a file with the stored token"),
      ("sdkctl token diff --json a.jwt b.jwt | jq .equal", "Print true or false"),
    ],
    exitCodes: [3, 4], seeAlso: ["token decode", "token lint"],
    json: """
      `equal` (true if there is no difference) and `differences` (each with `path`, and `a` and \
      `b`, the values; a value that does not exist is absent).
      """)

  struct Arguments: CommandArguments {
    var file = ""
    var other: String?
    var slot = CredentialSlot.user
    var idToken = false
  }

  static let options: [Option<Arguments>] =
    [.flag("id-token", nil, \.idToken, "Compare with the stored ID token")]
    + CredentialSlot.options(\.slot, "Compare with")

  static let operands: [Operand<Arguments>] = [
    .one("A", \.file, "The file with a token, or -").completing(.file),
    .optional("B", \.other, "The file with the other token, or -").completing(.file),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard arguments.file != "-" || arguments.other != "-" else {
      throw Failure.usage("both tokens cannot come from standard input")
    }
    let one = try content(of: arguments.file, context)
    let other: JSON
    if let file = arguments.other {
      other = try content(of: file, context)
    } else {
      let stored = try StoredToken(
        arguments.slot, idToken: arguments.idToken, to: "compare", context)
      other = try content(of: stored.found)
    }
    var differences: [Difference] = []
    compare(one, other, "", &differences)
    if context.globals.json {
      context.print([
        "equal": .bool(differences.isEmpty), "differences": .array(differences.map(\.json)),
      ])
    } else {
      for difference in differences { context.output.write(difference.text) }
    }
  }

  private static func content(of file: String, _ context: Context) throws -> JSON {
    let tokens = try TokenStream(file, context).oneInput(
      "'token diff' takes one token of each file", to: "compare")
    return try content(of: tokens[0])
  }

  private static func content(of token: FoundToken) throws -> JSON {
    guard token.isJWT else { throw Failure.notJWT(token, to: "compare") }
    do {
      let content = try TokenContent(token.text, decryptingWith: nil)
      return ["header": content.header, "payload": content.payload ?? .null]
    } catch {
      throw Failure(.failure, "not_a_jwt", "could not compare the token: \(error.message)")
    }
  }

  private struct Difference {
    let path: String
    let one: JSON?
    let other: JSON?

    var json: JSON { .members(["path": .string(path), "a": one, "b": other]) }

    var text: String {
      let rows = [("-", one), ("+", other)].compactMap { sign, value in
        value.map { "\(sign) \(path): \($0.serialized())\(time($0))\n" }
      }
      return rows.joined()
    }

    /// The time of a claim in ISO 8601.
    private func time(_ value: JSON) -> String {
      let names = ["exp", "nbf", "iat", "auth_time"].map { "payload.\($0)" }
      guard names.contains(path), let seconds = value.int else { return "" }
      return "  (\(Timestamp(seconds)))"
    }
  }

  private static func compare(
    _ one: JSON?, _ other: JSON?, _ path: String, _ differences: inout [Difference]
  ) {
    guard one != other else { return }
    guard let members = one?.object, let otherMembers = other?.object else {
      differences.append(Difference(path: path, one: one, other: other))
      return
    }
    for name in members.merging(otherMembers, uniquingKeysWith: { $1 }).sorted.map(\.key) {
      let inner = path.isEmpty ? name : "\(path).\(name)"
      compare(members[name], otherMembers[name], inner, &differences)
    }
  }
}
