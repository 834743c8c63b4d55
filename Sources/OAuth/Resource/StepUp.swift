package import HTTP
import Primitives

/// A resource that requires a new or another authentication of the user (RFC 9470 section 3).
///
/// A refresh does not help: it requires a property of the login.
package struct StepUp: Sendable, Hashable {
  /// The authentication contexts of which one is required, separated by spaces.
  package let contexts: String?
  /// The seconds that may have passed since the login.
  package let maximumAge: Int64?

  /// Reads the refusal of a resource; `nil` if it does not require a new authentication.
  ///
  /// Values that no login can request count as absent.
  package init?(_ response: HTTPResponse) {
    guard response.status == 401,
      let challenge = response.challenges.first(where: { challenge in
        (challenge.isOf(scheme: "Bearer") || challenge.isOf(scheme: DPoP.tokenType))
          && challenge["error"] == "insufficient_user_authentication"
      })
    else { return nil }
    contexts = challenge["acr_values"].flatMap(pasteable)
    maximumAge = challenge["max_age"].flatMap(Self.seconds)
  }

  private static func seconds(_ text: String) -> Int64? {
    guard text.utf8.allSatisfy(\.isDigit), text.utf8.count <= 9 else { return nil }
    return Int64(text)
  }
}

/// The words of a response that become part of a command line that a user pastes: visible ASCII of limited length.
private func pasteable(_ text: String) -> String? {
  let words = text.words
  guard text.utf8.count <= 500, !words.isEmpty, words.allSatisfy(isVisible),
    // A value that begins with a hyphen would be read as an option.
    words[0].first != "-"
  else { return nil }
  return words.joined(separator: " ")
}

extension HTTPResponse {
  /// The scope that a resource requires and the token does not have (RFC 6750 section 3.1); `nil` for any other
  /// response, and if the resource does not name it.
  package var requiredScope: String? {
    guard status == 403 else { return nil }
    return challenges.first { $0["error"] == "insufficient_scope" }?["scope"].flatMap(pasteable)
  }

  /// The error of a resource about a token (RFC 6750 section 3, RFC 9449 section 7).
  package func names(_ error: String, scheme: String) -> Bool {
    status == 401 && challenges.contains { $0.isOf(scheme: scheme) && $0["error"] == error }
  }
}
