import HTTP
import Primitives

/// The name of a header field, in any letter case.
struct FieldName: Sendable, Hashable {
  /// The name as it was given.
  let text: String
  private let folded: String

  /// A name from outside; `nil` if it is not a token.
  init?(_ text: String) {
    guard isToken(text) else { return nil }
    self.init(known: text)
  }

  init(known text: String) {
    self.text = text
    folded = text.asciiLowercased
  }

  static func == (one: FieldName, other: FieldName) -> Bool { one.folded == other.folded }
  func hash(into hasher: inout Hasher) { hasher.combine(folded) }

  static let accept = FieldName(known: "Accept")
  static let acceptRanges = FieldName(known: "Accept-Ranges")
  static let allow = FieldName(known: "Allow")
  static let authorization = FieldName(known: "Authorization")
  static let cacheControl = FieldName(known: "Cache-Control")
  static let contentRange = FieldName(known: "Content-Range")
  static let contentSecurityPolicy = FieldName(known: "Content-Security-Policy")
  static let contentTransferEncoding = FieldName(known: "Content-Transfer-Encoding")
  static let contentType = FieldName(known: "Content-Type")
  static let contentTypeOptions = FieldName(known: "X-Content-Type-Options")
  static let cookie = FieldName(known: "Cookie")
  static let date = FieldName(known: "Date")
  static let dpop = FieldName(known: "DPoP")
  static let dpopNonce = FieldName(known: "DPoP-Nonce")
  static let eTag = FieldName(known: "ETag")
  static let host = FieldName(known: "Host")
  static let location = FieldName(known: "Location")
  static let range = FieldName(known: "Range")
  static let referrerPolicy = FieldName(known: "Referrer-Policy")
  static let retryAfter = FieldName(known: "Retry-After")
  static let sandboxFault = FieldName(known: "Sandbox-Fault")
  static let setCookie = FieldName(known: "Set-Cookie")
  static let wwwAuthenticate = FieldName(known: "WWW-Authenticate")
}
