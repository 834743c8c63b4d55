import JOSE
import Primitives
import SDKCore

/// A token that is sent to the server, which alone knows an opaque one.
struct ServerToken {
  /// What the pages of these commands say about the tokens of files.
  static let rule = """
    A token of FILE (of a token response the access token) is sent only if its issuer is that of the profile, or if \
    `--profile` names the profile: an opaque token does not say whose it is, and a server may write another issuer \
    into its tokens.
    """

  let text: String
  /// What it is; `nil` if only the server knows.
  let kind: TokenKind?
  /// The slot that has it; `nil` for a token of a file.
  let slot: CredentialSlot?

  /// The chosen token: of a token response the access token, or the refresh token if the choice says so.
  init(
    _ choice: TokenChoice, _ reader: TokenReader, in session: ProfileSession
  ) async throws {
    let isRefresh = choice.refreshToken
    let source = try await reader.source(choice, in: session)
    slot = source.stored?.slot
    if let stored = source.stored {
      (text, kind) = (stored.text, isRefresh ? .refresh : .access)
      return
    }
    let tokens = try reader.tokens(of: source)
    let isResponse = tokens[0].name != nil
    let names = isRefresh ? ["refresh_token"] : ["access_token", "token"]
    guard
      let found = isResponse ? tokens.first(where: { names.contains($0.name ?? "") }) : tokens[0]
    else {
      throw Failure(
        .notAToken,
        "could not \(reader.action) the token: the token response has no \(choice.kind.rawValue) token"
      )
    }
    text = try Self.checked(found, reader)
    kind = isRefresh ? .refresh : isResponse ? .access : nil
    try Self.requireIssuer(of: tokens, reader, session)
  }

  /// Refuses a token that is not known to be of the profile's server, unless a person has named the profile:
  /// whoever gets a bearer token can use it.
  private static func requireIssuer(
    of tokens: [FoundToken], _ reader: TokenReader, _ session: ProfileSession
  ) throws {
    let context = reader.context
    guard context.globals.profile == nil else { return }
    let issuer = tokens.lazy.compactMap { (try? JWT($0.text))?.issuer }.first
    var name = session.profile.name
    var cause = "it does not say whose it is"
    if let issuer {
      let names = try context.store().names(ofIssuer: issuer)
      if names.contains(name) { return }
      name = names.first ?? name
      cause = "it is of '\(Visible.line(issuer))', not of the server of '\(session.profile.name)'"
    }
    throw Failure(
      .otherIssuer,
      "could not \(reader.action) the token: \(cause), and --profile does not name one",
      hints: [ShellWord.line(["sdkctl", "-p", "\(name)"] + context.ports.arguments)])
  }

  /// RFC 6749 appendix A.12: a token is visible ASCII.
  private static func checked(_ token: FoundToken, _ reader: TokenReader) throws -> String {
    guard token.text.utf8.first != UInt8(ascii: "{") else {
      throw Failure.notJWT(token, to: reader.action)
    }
    guard token.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(
        .notAToken,
        "could not \(reader.action) the token: it has spaces or characters that are not visible ASCII"
      )
    }
    return token.text
  }
}
