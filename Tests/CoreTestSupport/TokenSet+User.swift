import JOSE
import Primitives
package import SDKCore

extension TokenSet {
  /// How the tokens of a user name that user.
  package enum Naming: Sendable, CaseIterable { case idToken, accessToken }

  /// Tokens of a user.
  package static func of(
    _ user: String, by naming: Naming = .idToken, lifetime: Int64 = 3600,
    refreshToken: String? = nil
  ) throws -> TokenSet {
    let key = try SigningKey.generate(.es256)
    let jwt = try key.sign(header: [:], payload: Array(#"{"sub":"\#(user)"}"#.utf8))
    return TokenSet(
      accessToken: naming == .idToken ? "of-\(user)" : jwt, expires: World.now + lifetime,
      scope: "a", refreshToken: refreshToken, obtained: World.now
    ).with(idToken: naming == .idToken ? jwt : nil)
  }
}
