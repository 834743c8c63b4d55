package import HTTP
import JSON
import Primitives

/// The facets that an application trusts (dictionary `TrustedFacetList`), as fetched from its appID.
package struct TrustedFacets: Sendable, Hashable {
  package static let mediaType = "application/fido.trusted-apps+json"

  /// What the list has for each version of the protocol.
  private let facets: [ProtocolVersion: [String]]

  package init(parsing bytes: [UInt8]) throws(UAFError) {
    do {
      facets = try Self.lists(bytes)
    } catch {
      throw UAFError(.untrustedFacetID, error.message)
    }
  }

  /// Reads a list from the response to its request, by status and media type.
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
  /// Web origins count only if they belong to the site of the appID, where the list was fetched from before redirects.
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
  private static func origin(_ id: String) -> HTTPURL? { try? HTTPURL(id) }

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

/// What a client must do before it may act for the application of a request (FIDO AppID and Facet
/// Specification 1.2, section 3.1.2).
package enum ApplicationID: Sendable, Hashable {
  /// Nothing: the application is the client's own facet.
  case own
  /// Fetch the list of trusted facets, and find the client's facet on it.
  case listed(at: HTTPURL)

  /// Decides about the `appID` of a request; an empty one means the facet.
  package init(_ appID: String, facetID: String) throws(UAFError) {
    guard !appID.isEmpty, !sameIdentifier(appID, facetID) else {
      self = .own
      return
    }
    guard let url = try? HTTPURL(appID) else {
      throw UAFError(
        .untrustedFacetID,
        "the appID of the request is neither the facet of this client nor a URL")
    }
    guard url.scheme == .https else {
      throw UAFError(.insecureTransport, "the appID of the request is not an https URL")
    }
    self = .listed(at: url)
  }
}

/// Where the list of trusted facets is, if the response to its request is a redirect.
package enum FacetRedirect {
  package static let limit = 5

  /// The URL to which a response leads; `nil` if it is not a redirect.
  ///
  /// The server must say that the redirect is meant, so that an open redirector of the application
  /// is of no use to others (FIDO AppID and Facet Specification 1.2, section 3.1.2.11).
  package static func target(of response: HTTPResponse) throws(UAFError) -> HTTPURL? {
    guard (300..<400).contains(response.status) else { return nil }
    guard response.fields["FIDO-AppID-Redirect-Authorized"]?.asciiLowercased == "true" else {
      throw UAFError(
        .untrustedFacetID, "the redirect of the list of trusted facets is not authorized")
    }
    guard response.isRedirect, let url = response.redirectTarget, url.scheme == .https else {
      throw UAFError(
        .untrustedFacetID, "the redirect of the list of trusted facets leads to no https URL")
    }
    return url
  }
}
