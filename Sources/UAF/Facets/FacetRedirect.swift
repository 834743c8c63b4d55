package import HTTP
import Primitives

/// Where the list of trusted facets is, if the response to its request is a redirect.
package enum FacetRedirect {
  /// The greatest number of redirects.
  package static let limit = 5

  /// The URL to which a response leads; `nil` if it is not a redirect.
  ///
  /// The server must say that the redirect is meant, so that an open redirector of the application
  /// is of no use to others (FIDO AppID and Facet Specification 1.2, section 3.1.2.11).
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/untrustedFacetID`` for a redirect that must not be
  ///   followed.
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
