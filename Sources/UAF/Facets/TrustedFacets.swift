package import HTTP
import JSON
import Primitives

/// The facets that an application trusts (dictionary `TrustedFacetList`), as fetched from its appID.
package struct TrustedFacets: Sendable, Hashable {
  /// The media type of a list.
  package static let mediaType = "application/fido.trusted-apps+json"

  /// What the list has for each version of the protocol.
  private let facets: [ProtocolVersion: [String]]

  /// Reads a list.
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/untrustedFacetID`` if it is malformed.
  package init(parsing bytes: [UInt8]) throws(UAFError) {
    do {
      facets = try Self.lists(bytes)
    } catch {
      throw UAFError(.untrustedFacetID, error.message)
    }
  }

  /// Reads a list from the response to its request.
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/untrustedFacetID`` if it is malformed, of another
  ///   media type, or the status is not 200.
  package init(_ response: HTTPResponse) throws(UAFError) {
    guard response.status == 200 else {
      throw UAFError(
        .untrustedFacetID, "the list of trusted facets has the status \(response.status)")
    }
    guard response.mediaType == Self.mediaType else {
      throw UAFError(
        .untrustedFacetID,
        "the list of trusted facets is not of the media type \(Self.mediaType)")
    }
    try self.init(parsing: response.body)
  }

  private static func lists(_ bytes: [UInt8]) throws(UAFError) -> [ProtocolVersion: [String]] {
    let document: JSON
    do {
      document = try JSON(parsing: bytes)
    } catch {
      throw .malformed("the list of trusted facets is not JSON: \(error)")
    }
    let values = try MessageReader(document, "the list of trusted facets").array("trustedFacets")
    var lists: [ProtocolVersion: [String]] = [:]
    for value in values.prefix(Limits.elements) {
      let reader = try MessageReader(value, "an element of the list of trusted facets")
      let version = try ProtocolVersion(reader.members["version"], in: "trusted facets")
      guard let ids = try reader.optionalTexts("ids") else {
        throw .malformed("'ids' of \(reader.subject) is missing")
      }
      lists[version, default: []] += ids
    }
    return lists
  }

  /// Whether the application trusts a facet, in a version of the protocol.
  ///
  /// Web origins count only if they belong to the site of the appID.
  ///
  /// - Parameters:
  ///   - facetID: the facet of this client.
  ///   - version: that of the request.
  ///   - appID: where the list was fetched from, before redirects.
  ///   - isPublicSuffix: whether anybody can register names below a host.
  /// - Returns: whether the list has the facet.
  package func trust(
    _ facetID: String, in version: ProtocolVersion, of appID: HTTPURL,
    isPublicSuffix: (String) -> Bool
  ) -> Bool {
    let wanted = Self.origin(facetID)
    return facets[version, default: []].contains { id in
      guard sameIdentifier(Self.origin(id)?.origin ?? id, wanted?.origin ?? facetID) else {
        return false
      }
      guard let wanted else { return true }
      return Self.site(of: wanted.host, isPublicSuffix) == Self.site(of: appID.host, isPublicSuffix)
    }
  }

  /// The web origin of a facet; `nil` for `android:`, `ios:` and anything else.
  private static func origin(_ id: String) -> HTTPURL? {
    guard let url = try? HTTPURL(id), url.scheme == .https else { return nil }
    return url
  }

  /// The shortest parent of a host under which nobody else can register, or the host.
  private static func site(of host: String, _ isPublicSuffix: (String) -> Bool) -> String {
    guard !HostName.isAddress(host) else { return host }
    var site = host[...]
    while let dot = site.firstIndex(of: ".") {
      let parent = site[site.index(after: dot)...]
      if isPublicSuffix(String(parent)) { return String(site) }
      site = parent
    }
    return host
  }
}
