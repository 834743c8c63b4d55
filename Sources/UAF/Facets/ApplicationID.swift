package import HTTP
import Primitives

/// What a client must do before it may act for the application of a request (FIDO AppID and Facet
/// Specification 1.2, section 3.1.2).
package enum ApplicationID: Sendable, Hashable {
  /// Nothing: the application is the client's own facet.
  case own
  /// Fetch the list of trusted facets, and find the client's facet on it.
  case listed(at: HTTPURL)

  /// Decides about the `appID` of a request.
  ///
  /// - Parameters:
  ///   - appID: that of the request; empty means the facet.
  ///   - facetID: the facet of this client.
  /// - Throws: ``UAFError`` with ``ClientErrorCode/insecureTransport`` for an `http` URL, and
  ///   ``ClientErrorCode/untrustedFacetID`` for anything that is not an `https` URL.
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
