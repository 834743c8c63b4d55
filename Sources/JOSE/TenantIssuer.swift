internal import JSON
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
    self.init(named)
    guard Self.isTenant(requested, between: before, after) else { return nil }
  }

  /// Reads an issuer; `nil` if it has no place for a tenant.
  fileprivate init?(_ named: String) {
    let start = named.prefix { $0 != "{" }
    let rest = named[start.endIndex...]
    guard rest.hasPrefix(Self.place) else { return nil }
    before = String(start)
    after = String(rest.dropFirst(Self.place.count))
  }

  /// The issuer of the tenant that a token names.
  package func issuer(of claims: TokenClaims) throws(JOSEError) -> String {
    let issuer = before + (claims.string("tid") ?? "") + after
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

extension JWK {
  /// Whether the key may have signed the token, if it is published for one issuer (`issuer`).
  ///
  /// Microsoft publishes the keys of several tenants in one set. A key is for tokens of its issuer, in
  /// which the token's tenant may have a place; or for tokens of version 1.0, which have another issuer
  /// than the keys, of the same tenant.
  func isPublished(for token: JWS) -> Bool {
    guard let issuer else { return true }
    guard let json = try? JSON(parsing: token.payload), let claims = try? TokenClaims(json),
      let named = claims.issuer
    else { return false }
    let place = TenantIssuer(issuer)
    guard let published = place == nil ? issuer : try? place?.issuer(of: claims) else {
      return false
    }
    if sameIdentifier(named, published) { return true }
    // Nothing but a tenant is a UUID in an issuer.
    guard let tenant = claims.string("tid"), isUUID(tenant) else { return false }
    return [named, published].allSatisfy { text in
      text.split(separator: "/").contains { sameIdentifier(String($0), tenant) }
    }
  }
}

private func isUUID(_ text: String) -> Bool {
  let bytes = Array(text.utf8)
  return bytes.count == 36
    && bytes.indices.allSatisfy { index in
      [8, 13, 18, 23].contains(index)
        ? bytes[index] == UInt8(ascii: "-") : bytes[index].hexValue != nil
    }
}
