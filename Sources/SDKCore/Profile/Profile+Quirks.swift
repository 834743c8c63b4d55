import HTTP
import JSON

extension Profile {
  /// Whether a login may take a person's password.
  var allowsPasswordGrant: Bool { self["passwordGrant"]?.bool ?? false }

  /// Whether a token of less scope may come from a refresh.
  var allowsNarrowedRefresh: Bool { self["narrowedRefresh"]?.bool ?? false }

  /// Whether the server's metadata document is asked for.
  var usesDiscovery: Bool { self["discovery"]?.bool ?? true }

  /// Whether authorization requests carry a proof key (RFC 7636).
  var usesPKCE: Bool { self["pkce"]?.bool ?? true }

  /// What authorization requests carry besides.
  var authorizationParameters: FormParameters {
    self["authorizationParameters"]?.string.flatMap { FormParameters(encoded: $0) } ?? [:]
  }

  /// Whether Basic credentials are encoded as RFC 6749 section 2.3.1 has it; `nil` tries both.
  var encodesBasic: Bool? { (self["basicEncoding"]?.string).map { $0 == "form" } }

  /// How many seconds before its expiry an access token counts as expired.
  public var expiryMargin: Int64 { self["expiryMargin"]?.int ?? 0 }

  /// Whether the account calls send the client's secret in place of its ID.
  var accountsTakeSecret: Bool { self["accountClient"]?.string == "secret" }

  /// An endpoint that only a profile can name.
  func ownEndpoint(_ name: String) -> HTTPURL? {
    endpoints[name]?.string.flatMap { try? HTTPURL($0) }
  }
}
