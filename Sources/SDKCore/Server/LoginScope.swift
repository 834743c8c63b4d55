import OAuth
import Primitives

/// The scope of a login: of every way to log in, decided here and nowhere else.
///
/// The caller's scope, else the profile's; without either `openid`, if the server supports
/// OpenID Connect. An empty one of the caller sends none.
struct LoginScope: Sendable, Hashable {
  let text: String?

  init(
    _ chosen: String?, configured: String?, at server: ServerMetadata, needsIDToken: Bool = false
  ) {
    let usual = server.speaksOpenIDConnect ? Self.openID : ""
    var words = (chosen ?? configured ?? usual).words
    if needsIDToken, !words.contains(Self.openID) { words.insert(Self.openID, at: 0) }
    text = words.isEmpty ? nil : words.joined(separator: " ")
  }

  var asksIDToken: Bool { contains(Self.openID) }

  /// Whether a refresh token is asked for (OpenID Connect Core 1.0 section 11).
  var asksOfflineAccess: Bool { contains(Self.offlineAccess) }

  static func adding(offlineAccessTo scope: String?) -> String {
    ((scope ?? openID).words + [offlineAccess]).joined(separator: " ")
  }

  private func contains(_ word: String) -> Bool {
    text?.words.contains(word) ?? false
  }

  private static let openID = "openid"
  static let offlineAccess = "offline_access"
}

/// Scopes as sets of words (RFC 6749 section 3.3), compared by their bytes.
enum Scope {
  static func words(_ scope: String?) -> Set<[UInt8]> {
    Set((scope ?? "").utf8.split(separator: UInt8(ascii: " ")).map { Array($0) })
  }

  static func missing(in scope: String?, of wanted: String?) -> [String] {
    words(wanted).subtracting(words(scope)).map { String(decoding: $0, as: UTF8.self) }.sorted()
  }
}
