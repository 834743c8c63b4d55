import HTTP
import JOSE
import JSON
import Primitives

/// The place of the JWT in the response of a login.
///
/// How Nevis delivers its JWT is not public, so a profile names the place (docs/vendors.md).
package enum ReturnedTokenSource: Sendable, Hashable {
  /// A header field; a scheme such as `Bearer` before the token is not part of it.
  case header(String)
  /// A member of the JSON body; dots between levels.
  case member(String)
  /// A cookie that the login set.
  case cookie(String)

  /// Reads `header:NAME`, `member:NAME` or `cookie:NAME`.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "header": self = .header(parts[1])
    case "member": self = .member(parts[1])
    case "cookie": self = .cookie(parts[1])
    default: return nil
    }
  }

  var names: [String] {
    switch self {
    case .header(let name), .cookie(let name): [name]
    case .member(let path): path.split(separator: ".").suffix(1).map(String.init)
    }
  }

  func text(in response: HTTPResponse, _ cookies: [Cookie]) -> String? {
    switch self {
    case .header(let name): return (response.fields[name] ?? "").words.last
    case .member(let path):
      guard let document = try? JSON(parsing: response.body, maximumDepth: 32) else { return nil }
      let names = path.split(separator: ".").map(String.init)
      return names.reduce(document as JSON?) { $0?[$1] }?.string
    case .cookie(let name):
      return cookies.first { sameIdentifier($0.name, name) }?.value
    }
  }

  /// The places that are searched in this order if the profile does not name one.
  static let usual: [ReturnedTokenSource] = [
    .header("Authorization"), .member("token"), .member("jwt"), .member("access_token"),
    .member("id_token"),
  ]

  /// The same for a token that may be no JWT.
  static let ofAnyToken: [ReturnedTokenSource] = [
    .header("Authorization"), .member("token"), .member("access_token"),
  ]

  static func isJWT(_ text: String) -> Bool { (try? JWT(text)) != nil }

  /// Whether a text can be a token in a header field (RFC 6750 section 2.1) that nobody guesses.
  static func isToken(_ text: String) -> Bool {
    text.utf8.count >= 16
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) }
  }
}
