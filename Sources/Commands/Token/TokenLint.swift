import Arguments
import JOSE
import JSON
import POSIX
import SDKCore

enum TokenLint: Command {
  static let page = CommandInfo(
    name: "lint", summary: "Find what standards advise against in a token",
    description: """
      Prints what RFC 8725 (best practices of JWT), RFC 9068 (access tokens) and related documents \
      advise against in a token, with the section: `sdkctl token lint token.jwt`. Without FILE it \
      is the stored access token of the profile. It uses no network and does not verify the signature.

      An error is something that a verifier should refuse or cannot use, such as a missing \
      expiration; the status is then 11.

      \(TokenReader.rule)
      """,
    examples: [
      ("sdkctl token lint", "Examine the stored access token"),
      ("sdkctl token lint --strict token.jwt", "Fail on warnings too"),
      (
        "sdkctl token lint --json token.jwt | jq -r '.findings[].code'", "Print the findings' names"
      ),
    ],
    exitCodes: [4, 11], seeAlso: ["token decode", "token verify"],
    output: rows.stream)

  private static let rows = Rows<(name: String?, findings: [TokenFinding])>(
    .list("findings", "what was found", TokenFinding.rows) { $0.findings },
    .member("errors", "how many of them are errors") { count(.error, $0.findings) },
    .member("warnings", "how many are warnings") { count(.warning, $0.findings) },
    .member("name", "the member of a token response") { $0.name }.orAbsent)

  private static func count(
    _ severity: TokenFinding.Severity, _ findings: [TokenFinding]
  ) -> Int64 {
    Int64(findings.count { $0.severity == severity })
  }

  struct Arguments: CommandArguments {
    var token = TokenChoice()
    var strict = false
  }

  static let options: [Option<Arguments>] =
    [
      .flag("strict", \.strict, "Fail on warnings too"),
      .flag("id-token", \.token.idToken, "Examine the stored ID token"),
    ] + CredentialSlot.options(\.token.slot, "Examine")

  static let operands: [Operand<Arguments>] = [
    .tokenFile("FILE", \.token.file, "The file with the token, or -")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let reader = TokenReader(page, to: "examine", context)
    let source = try await reader.source(arguments.token)
    let tokens = try reader.tokens(of: source)
    let readable = tokens.filter(\.isJWT)
    if readable.isEmpty { try reader.requireJWT(tokens[0], of: source) }
    var worst: TokenFinding.Severity?
    for token in readable {
      let findings = TokenRules.findings(in: token.text)
      worst = ([worst].compactMap { $0 } + findings.map(\.severity)).max()
      print(findings, of: token, context)
    }
    let limit: TokenFinding.Severity = arguments.strict ? .warning : .error
    if let worst, worst >= limit { throw Failure.silent(.verification) }
  }

  private static func print(
    _ findings: [TokenFinding], of token: FoundToken, _ context: Context
  ) {
    guard !context.globals.json else {
      return context.print(rows.json((token.name, findings)))
    }
    if let name = token.name { context.print("\(name):") }
    if findings.isEmpty { context.print("no findings") }
    let colours = context.wantsColours
    for finding in findings {
      let tone: Tone =
        switch finding.severity {
        case .error: .bad
        case .warning: .warning
        default: .plain
        }
      let severity = tone.coloured(finding.severity.rawValue, if: colours)
      let text = Visible.line("\(finding.message) (\(finding.section))")
      context.output.write("\(severity): \(text)\n")
    }
  }
}

extension TokenFinding {
  fileprivate static let rows = Rows<TokenFinding>(
    .member("severity", "`error`, `warning` or `info`") { $0.severity.rawValue },
    .member("code", "its name") { $0.code },
    .member("message", "what is wrong") { $0.message },
    .member("section", "of the standard") { $0.section })
}
