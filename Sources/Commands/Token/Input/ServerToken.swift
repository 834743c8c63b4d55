import JOSE
import SDKCore

/// A token that is sent to the server, which alone knows an opaque one.
struct ServerToken {
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
    switch try await reader.source(choice, in: session) {
    case .stored(let stored):
      text = stored.text
      kind = isRefresh ? .refresh : .access
      slot = stored.slot
    case .input(let stream):
      let tokens = try reader.oneInput(stream)
      slot = nil
      guard let first = tokens.first, first.name != nil else {
        text = try Self.checked(tokens[0], reader)
        kind = isRefresh ? .refresh : nil
        return
      }
      let names = isRefresh ? ["refresh_token"] : ["access_token", "token"]
      guard let found = tokens.first(where: { names.contains($0.name ?? "") }) else {
        let missing = isRefresh ? StoredToken.Kind.refresh : .access
        throw Failure(
          .failure, "not_a_token",
          "could not \(reader.action) the token: the token response has no \(missing.rawValue) token"
        )
      }
      text = try Self.checked(found, reader)
      kind = isRefresh ? .refresh : .access
    }
  }

  /// RFC 6749 appendix A.12: a token is visible ASCII.
  private static func checked(_ token: FoundToken, _ reader: TokenReader) throws -> String {
    guard token.text.utf8.first != UInt8(ascii: "{") else {
      throw Failure.notJWT(token, to: reader.action)
    }
    guard token.text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(
        .failure, "not_a_token",
        "could not \(reader.action) the token: it has spaces or characters that are not visible ASCII"
      )
    }
    return token.text
  }
}
