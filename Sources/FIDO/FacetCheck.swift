import HTTP
import JSON
import Primitives
import SDKCore
import UAF

/// Checks that the application of a request trusts this client's facet.
struct FacetCheck: Sendable {
  let environment: SessionEnvironment
  let settings: FIDOSettings
  let cache: TrustCache

  /// Refuses the request of an application that does not list the facet.
  ///
  /// - Throws: ``SDKError/Code/untrusted``.
  func requireTrust(of header: OperationHeader) async throws(SDKError) {
    let facetID = settings.facetID
    let appID = header.application(of: facetID)
    if let only = settings.profile[FIDOKeys.appID], !sameIdentifier(only, appID) {
      throw refusal("the application '\(VisibleText.of(appID))' is not that of fido.appID")
    }
    let application = try attempt { try ApplicationID(appID, facetID: facetID) }
    guard case .listed(let url) = application else { return }
    // A list that was kept may be older than the facet.
    if let kept = kept(url), trusts(kept, header, url) { return }
    guard trusts(try await fetched(url), header, url) else {
      throw refusal("the application \(url) does not list the facet '\(facetID)' (fido.facetID)")
    }
  }

  private func trusts(_ list: TrustedFacets, _ header: OperationHeader, _ url: HTTPURL) -> Bool {
    list.trust(
      settings.facetID, in: header.version, of: url,
      isPublicSuffix: PublicSuffix.contains)
  }

  private func refusal(_ cause: String) -> SDKError {
    SDKError(UAFError(.untrustedFacetID, cause))
  }

  /// The list at a URL, which is kept for an hour.
  private func fetched(_ url: HTTPURL) async throws(SDKError) -> TrustedFacets {
    var next = url
    for _ in 0...FacetRedirect.limit {
      let request = HTTPRequest(
        .get, next, fields: [HTTPField(known: "Accept", TrustedFacets.mediaType)],
        timeout: environment.clock.limits.bounded(settings.networkTimeout))
      let response = try await attempt {
        try await environment.transport.send(request, limit: Self.limit)
      }
      let target = try attempt { try FacetRedirect.target(of: response) }
      if let target {
        next = target
        continue
      }
      let list = try attempt { try TrustedFacets(response) }
      cache.file("facets", url.description)?.write([
        "document": .string(String(decoding: response.body, as: UTF8.self)),
        "expires": .time(environment.now() + Self.freshness),
      ])
      return list
    }
    throw refusal("the list of trusted facets has more than \(FacetRedirect.limit) redirects")
  }

  private func kept(_ url: HTTPURL) -> TrustedFacets? {
    let now = environment.now()
    guard let members = cache.file("facets", url.description)?.read(),
      let expires = members["expires"]?.time, expires > now, expires <= now + Self.freshness,
      let text = members["document"]?.string
    else { return nil }
    return try? TrustedFacets(parsing: Array(text.utf8))
  }

  private static let freshness: Int64 = 3600
  private static let limit = 1 << 18
}
