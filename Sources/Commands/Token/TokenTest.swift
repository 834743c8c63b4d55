import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

enum TokenTest: Command {
  static let page = CommandInfo(
    name: "test", summary: "Test whether a token meets requirements",
    description: """
      Tests a token without using the network. Without FILE it is the stored access token of the profile; in a \
      script, name its slot, such as `--user`. A script that only needs a valid token runs {token}, which \
      refreshes an expired one. The signature is not verified: see {token verify}.

      Of an SD-JWT the disclosed values count. For an opaque stored token, the expiration and the scope are those \
      that the server reported, and `--acr` looks at the ID token.

      The status is 0 if the token meets the requirements, 16 if only its time is wrong, and 11 if something else \
      is missing.

      \(TokenReader.rule)
      """,
    examples: [
      (
        "sdkctl token test --user --min-ttl 60 || sdkctl token refresh",
        "Refresh the token if less than a minute remains"
      ),
      ("sdkctl token test --min-ttl 1m - <token.txt", "Test a token on standard input"),
      ("sdkctl token test --scope 'read write'", "Test for two values of the scope"),
      ("sdkctl token test --acr 2 || sdkctl login --acr 2", "Test for a strong login"),
    ],
    exitCodes: [4, 11, 16], seeAlso: ["token verify", "token"],
    output: VerdictReport.verdictRows.document)

  struct Arguments: CommandArguments {
    var token = TokenChoice()
    var minimumLifetime: Duration?
    var scope: [String] = []
    var required = TokenExpectations(now: 0)
  }

  static let options: [Option<Arguments>] =
    [
      .value("min-ttl", "SPAN", \.minimumLifetime, "Require that it is valid for longer"),
      .list("scope", "SCOPE", \.scope, "Require these values of the scope"),
      .list("aud", "NAME", \.required.audiences, "Require one of these audiences"),
      .list("acr", "CONTEXT", \.required.contexts, "Require one of these authentication contexts"),
      .value("iss", "ISSUER", \.required.issuer, "Require this issuer"),
      .flag("id-token", \.token.idToken, "Test the stored ID token"),
    ] + CredentialSlot.options(\.token.slot, "Test")

  static let operands: [Operand<Arguments>] = [
    .tokenFile("FILE", \.token.file, "The file with the token, or -")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let expectations = arguments.expectations(at: context.now())
    let reader = TokenReader(page, context)
    let source = try await reader.source(arguments.token)
    let token = try reader.tokens(of: source)[0]
    let report: TokenReport
    if let stored = source.stored, !token.isJWT {
      report = try stored.opaqueReport(expectations)
    } else {
      try reader.requireJWT(token, of: source)
      report = try Self.report(token.text, expectations, known: source.stored?.reportedEnd ?? [:])
    }
    if context.globals.json {
      context.print(VerdictReport.verdictRows.json(VerdictReport(report: report)))
    }
    if report.verdict != .valid { throw Failure(report, "accept") }
  }

  private static func report(
    _ text: String, _ expectations: TokenExpectations, known: JSONObject
  ) throws -> TokenReport {
    do throws(JOSEError) {
      let (jws, members) = try signedClaims(text)
      let claims = members.merging(known) { own, _ in own }
      return TokenReport(expectations.checks(of: try TokenClaims(.object(claims)), jws))
    } catch  where error.code == .disclosureInvalid {
      return TokenReport([.failed(.disclosures, error)])
    } catch {
      throw Failure.unreadableToken(error, to: "test")
    }
  }

  /// The signed token and its claims, those of an SD-JWT with the disclosed values.
  private static func signedClaims(_ text: String) throws(JOSEError) -> (JWS, JSONObject) {
    if SDJWT.hasForm(text) {
      let token = try SDJWT(text)
      return (token.issued, try DisclosedClaims(token).claims.object ?? [:])
    }
    let token = try JWT(text)
    return (token.jws, token.claims.object ?? [:])
  }
}

extension TokenTest.Arguments {
  fileprivate func expectations(at now: Timestamp) -> TokenExpectations {
    var expectations = required
    expectations.now = now
    expectations.scope = scope.flatMap(\.words)
    expectations.minimumLifetime = minimumLifetime?.components.seconds
    expectations.leeway = 0
    expectations.requiresExpiration = false
    return expectations
  }
}

extension StoredToken {
  /// When the access token expires, as the server said.
  fileprivate var reportedEnd: JSONObject {
    kind == .access ? JSON.members(["exp": tokens.expires.map { .time($0) }]).object ?? [:] : [:]
  }

  /// Checks an opaque token by what the server said about it.
  fileprivate func opaqueReport(
    _ expectations: TokenExpectations
  ) throws -> TokenReport {
    var claims = reportedEnd
    claims["scope"] = tokens.scope.map { .string($0) }
    claims["acr"] = tokens.idToken.flatMap { try? JWT($0) }?.claims["acr"]
    claims["iss"] = session.profile["issuer"]
    do throws(JOSEError) {
      return TokenReport(expectations.checks(of: try TokenClaims(.object(claims)), nil))
    } catch {
      throw Failure.unreadableToken(error, to: "test")
    }
  }
}
