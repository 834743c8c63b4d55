internal import Primitives

/// An issuer with a place for the tenant, as the metadata of Microsoft's endpoints `common`,
/// `organizations` and `consumers` name it: `https://login.microsoftonline.com/{tenantid}/v2.0`.
///
/// The claim `tid` of a token names the tenant.
package struct TenantIssuer: Sendable, Hashable {
  private let before: String
  private let after: String

  /// Reads the issuer that a metadata document names; `nil` if it has no place for a tenant, or
  /// differs from the requested one elsewhere.
  package init?(_ named: String, requested: String) {
    let start = named.prefix { $0 != "{" }
    let rest = named[start.endIndex...]
    guard rest.hasPrefix(Self.place) else { return nil }
    before = String(start)
    after = String(rest.dropFirst(Self.place.count))
    guard Self.isTenant(requested, between: before, after) else { return nil }
  }

  /// The issuer of the tenant that a token names.
  ///
  /// - Throws: ``JOSEError`` with the code `issuerMismatch` if it names none.
  package func issuer(of token: JWT) throws(JOSEError) -> String {
    let issuer = before + (token.string("tid") ?? "") + after
    guard Self.isTenant(issuer, between: before, after) else {
      throw JOSEError(.issuerMismatch, "the token names no tenant (tid)")
    }
    return issuer
  }

  /// Whether a text has one path segment of a tenant's letters in that place.
  private static func isTenant(_ text: String, between before: String, _ after: String) -> Bool {
    let count = text.utf8.count - before.utf8.count - after.utf8.count
    guard count > 0, text.utf8.starts(with: before.utf8),
      text.utf8.reversed().starts(with: after.utf8.reversed())
    else { return false }
    return text.utf8.dropFirst(before.utf8.count).prefix(count).allSatisfy {
      $0.isLetter || $0.isDigit || "-._".utf8.contains($0)
    }
  }

  private static let place = "{tenantid}"
}
