package import HTTP
import JSON
import Primitives

extension ResourceService {
  /// Makes the HTTP request, and checks all that can be checked without a connection.
  @inline(never)
  func checked(_ request: ResourceRequest, as access: Access) async throws(SDKError) -> HTTPRequest
  {
    try process.require()
    if let slot = access.slot {
      do { try await tokens.require(slot) } catch { throw error.during(access.action) }
    }
    let httpRequest = try request.http(
      relativeTo: baseURL, domain: access.domain)
    guard let slot = access.slot else { return httpRequest }
    if case .cookies(let session) = try await tokens.slots.provider(in: slot, isRecent: true) {
      try requireNoCookieField(in: request, access)
      try session.requireCookie(for: httpRequest.url)
    }
    try requireAllowed(httpRequest)
    return httpRequest
  }

  /// Checks all that can be checked without a connection and without the stored login.
  func check(_ request: ResourceRequest, as access: Access) throws(SDKError) {
    try process.require()
    let httpRequest = try request.http(relativeTo: baseURL, domain: access.domain)
    if access.slot != nil { try requireAllowed(httpRequest) }
  }

  /// Refuses a host that must not get the login.
  private func requireAllowed(_ httpRequest: HTTPRequest) throws(SDKError) {
    guard !profile.allowsCredential(to: httpRequest.url) else { return }
    let origin = httpRequest.url.origin
    throw SDKError(
      .policy, "could not send the token to \(origin): the profile does not allow that host",
      subject: origin, remedy: profile.remedy(allowing: httpRequest.url))
  }

  /// Checks that the caller has not set `Cookie`, which has the cookies of the login.
  private func requireNoCookieField(
    in request: ResourceRequest, _ access: Access
  ) throws(SDKError) {
    guard let field = request.headers.first(where: { $0.name.asciiLowercased == "cookie" }) else {
      return
    }
    throw SDKError(
      .invalidRequest,
      "could not send the request: the header field '\(field.name)' is reserved, because the login "
        + "is a set of cookies",
      resource: .invalidHeaders(access.domain))
  }
}

extension Profile {
  /// The setting that allows the host in addition to the allowed ones; `nil` for http.
  package func remedy(allowing url: HTTPURL) -> Remedy? {
    guard url.scheme == .https else { return nil }
    let hosts = self.allowedHosts + [url.authority]
    return .setProfile(key: "allowedHosts", value: hosts.joined(separator: ","))
  }
}

extension CookieSession {
  /// Checks that one of the login's cookies is for a URL (RFC 6265 section 5.4).
  func requireCookie(for url: HTTPURL) throws(SDKError) {
    if cookies.contains(where: { $0.matches(url) }) { return }
    throw SDKError(
      .policy,
      "could not send the request: no cookie of the login is for \(url.origin)\(url.path)",
      subject: url.origin)
  }
}
