import HTTP
import JOSE
import JSON
import Primitives

/// The place of the JWT in the response of a login.
///
/// How Nevis delivers its JWT is not public, so a profile names the place (docs/vendors.md).
enum TokenPlace: Sendable, Hashable {
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

  /// The JWT at the place; `nil` if there is none.
  func token(in response: HTTPResponse, _ cookies: [Cookie]) -> String? {
    switch self {
    case .header(let name):
      let words = (response.fields[name] ?? "").words
      return words.last.flatMap(Self.jwt)
    case .member(let path):
      guard let document = try? JSON(parsing: response.body, maximumDepth: 32) else { return nil }
      let names = path.split(separator: ".").map(String.init)
      return names.reduce(document as JSON?) { $0?[$1] }?.string.flatMap(Self.jwt)
    case .cookie(let name):
      return cookies.first { sameIdentifier($0.name, name) }.flatMap { Self.jwt($0.value) }
    }
  }

  /// The places that are searched in this order if the profile does not name one.
  static let usual: [TokenPlace] = [
    .header("Authorization"), .member("token"), .member("jwt"), .member("access_token"),
    .member("id_token"),
  ]

  private static func jwt(_ text: String) -> String? { (try? JWT(text)) == nil ? nil : text }
}
