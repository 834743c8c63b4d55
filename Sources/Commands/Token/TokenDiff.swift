import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

enum TokenDiff: Command {
  static let page = CommandInfo(
    name: "diff", summary: "Compare the contents of two tokens",
    description: """
      Prints the members of header and claims in which two tokens differ: \
      `sdkctl token diff old.jwt new.jwt`. Without B it is the stored access token of the profile. Of an SD-JWT the \
      disclosed values count. It uses no network and does not verify the signatures.

      \(TokenReader.rule)
      """,
    examples: [
      ("sdkctl token diff old.jwt new.jwt", "Compare two files"),
      ("sdkctl token diff old.jwt", "Compare a file with the stored token"),
      ("sdkctl token diff --json a.jwt b.jwt | jq .equal", "Print true or false"),
    ],
    exitCodes: [4], seeAlso: ["token decode", "token lint"],
    output: rows.document)

  struct Arguments: CommandArguments {
    var file = ""
    var other = TokenChoice()
    var exitCode = false
  }

  static let options: [Option<Arguments>] =
    [
      .flag("id-token", \.other.idToken, "Compare with the stored ID token"),
      .flag("exit-code", \.exitCode, "Exit with 1 if they differ"),
    ]
    + CredentialSlot.options(\.other.slot, "Compare with")

  static let operands: [Operand<Arguments>] = [
    .one("A", \.file, "The file with a token, or -").completing(.file).input(),
    .tokenFile("B", \.other.file, "The file with the other token, or -"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let reader = TokenReader(page, to: "compare", context)
    // What is chosen is known before a file is read.
    let source = try await reader.source(arguments.other)
    let one = try content(of: try await reader.source(arguments.file), reader)
    let other = try content(of: source, reader)
    var differences: [Difference] = []
    compare(one, other, "", &differences)
    if context.globals.json {
      context.print(rows.json(differences))
    } else {
      for line in differences.flatMap(\.lines) { context.print(line) }
    }
    if arguments.exitCode, !differences.isEmpty { throw Failure.silent(.failure) }
  }

  private static func content(of source: TokenSource, _ reader: TokenReader) throws -> JSON {
    let token = try reader.tokens(of: source)[0]
    try reader.requireJWT(token, of: source)
    do {
      let content = try TokenContent(token.text, decryptingWith: nil)
      let claims = try content.selective.map { token throws(JOSEError) in
        try DisclosedClaims(token).claims
      }
      return ["header": content.header, "payload": claims ?? content.payload ?? .null]
    } catch {
      throw Failure.unreadableToken(error, to: "compare")
    }
  }

  private static let rows = Rows<[Difference]>(
    .member("equal", "whether there is no difference") { $0.isEmpty },
    .list("differences", "the members that differ", Difference.rows) { $0 })

  private struct Difference {
    let path: String
    let one: JSON?
    let other: JSON?

    static let rows = Rows<Difference>(
      [.member("path", "where it is") { $0.path }]
        + Rows<JSON>(.member("a", "the value in A") { $0 }).ofAny { $0.one }
        + Rows<JSON>(.member("b", "the value in B") { $0 }).ofAny { $0.other })

    var lines: [String] {
      [("-", one), ("+", other)].compactMap { sign, value in
        value.map { "\(sign) \(path): \($0.serialized())\(time($0))" }
      }
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
      compare(members[name], otherMembers[name], JSON.path(path, name), &differences)
    }
  }
}
