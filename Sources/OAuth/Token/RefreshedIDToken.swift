import JOSE
import JSON
import Primitives

/// An ID token that came with a refresh (OpenID Connect Core 1.0 section 12.2).
package enum RefreshedIDToken {
  /// Compares it with the one of the login; signatures are checked elsewhere.
  ///
  /// The new tokens must belong to the user who logged in. What cannot be read of the old
  /// one is not compared.
  ///
  /// - Throws: ``OAuthError`` `untrusted` when it is another user's, server's or client's.
  package static func requireSame(_ new: String, as old: String) throws(OAuthError) {
    guard let before = try? JWT(old) else { return }
    let now: JWT
    do {
      now = try JWT(new)
    } catch {
      throw untrusted(error.message)
    }
    guard sameIdentifier(now.issuer, before.issuer) else {
      throw untrusted("it has another issuer")
    }
    guard sameIdentifier(now.subject, before.subject) else {
      throw untrusted("it is about another user")
    }
    guard before.audience.allSatisfy({ now.audience.contains(identifier: $0) }) else {
      throw untrusted("it is for another client")
    }
    for name in ["azp", "nonce"] {
      guard let value = now.claims[name], let earlier = before.claims[name] else { continue }
      guard value == earlier else { throw untrusted("its '\(name)' differs") }
    }
  }

  private static func untrusted(_ cause: String) -> OAuthError {
    OAuthError(
      .untrusted, "the ID token that came with the refresh must not be trusted: \(cause)")
  }
}
