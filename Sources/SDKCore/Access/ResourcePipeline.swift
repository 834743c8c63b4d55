import HTTP
import JSON
import OAuth
import POSIX

/// Sends a resource request the whole way: slot, request, host, pins, transfer, redirects, 401.
///
/// Whatever can fail before a connection is made fails before it.
struct ResourcePipeline: Sendable {
  let session: ProfileSession
  let access: Access

  func send(
    _ request: ResourceRequest, receiving body: HTTPBodyReceiver
  ) async throws(SDKError) -> HTTPResponse {
    if let slot = access.slot { try requireUsable(slot) }
    let plain = try request.http(
      relativeTo: session.profile.resourceURL, domain: access.domain)
    guard let slot = access.slot else {
      return try await follow(plain, nil, body, retries: false).response
    }
    guard session.profile.allowsCredential(to: plain.url) else {
      throw SDKError(
        .policy,
        "could not send the token to \(plain.url.origin): the profile does not allow that host",
        subject: plain.url.origin, remedy: allowing(plain.url))
    }
    let tokens = try await session.token(for: slot)
    let isRenewable = !(slot == .user && session.injectedToken != nil)
    let retries = isRenewable && plain.body.rewind()
    let first = try await follow(plain, tokens.accessToken, body, retries: retries)
    guard first.response.refusesToken, first.carriedToken, retries else { return first.response }
    // The server refused the token before its time: one new one, one more try.
    let renewed = try await session.token(for: slot, TokenDemand(refused: tokens.accessToken))
    guard plain.body.rewind() else {
      throw SDKError(
        .localData, "could not send the request again: its body cannot be read a second time")
    }
    return try await follow(plain, renewed.accessToken, body, retries: false).response
  }

  /// The command that allows one host more, and keeps those that are allowed.
  private func allowing(_ url: HTTPURL) -> String? {
    guard url.scheme == .https else { return nil }
    let hosts = (session.profile["allowedHosts"]?.strings ?? []) + [url.authority]
    let value = ShellWord.quoted(hosts.joined(separator: ","))
    return "sdkctl -p \(session.profile.name) profile set allowedHosts=\(value)"
  }

  private func follow(
    _ request: HTTPRequest, _ token: String?, _ body: HTTPBodyReceiver, retries: Bool
  ) async throws(SDKError) -> Redirects.Arrival {
    let hops = Redirects(transport: session.transport, holdsBack401: retries)
    var request = request
    if let token { request.clientCertificate = try session.certificate(boundTo: token) }
    do {
      return try await hops.send(request, token: token, receiving: body)
    } catch {
      throw SDKError(error, "could not fetch \(request.url.origin)\(request.url.path)")
    }
  }

  private func requireUsable(_ slot: CredentialSlot) throws(SDKError) {
    switch slot {
    case .user:
      guard try session.tokens(in: .user) != nil else {
        throw SDKError(
          .notAuthenticated,
          "could not fetch as user: nobody is logged in to '\(session.profile.name)'",
          resource: .userNotAuthenticated, subject: session.profile.name.description)
      }
    case .implicit:
      guard try session.implicitGrantor() != nil else {
        throw SDKError(
          .notAuthenticated,
          "could not fetch implicitly: nobody is logged in to '\(session.profile.name)'",
          resource: .implicitNotAuthenticated, subject: session.profile.name.description)
      }
    case .device:
      let isHeld = try session.tokens(in: .device) != nil
      let isObtainable = try session.registration()?.isConfidential == true
      guard isHeld || isObtainable else {
        throw SDKError(
          .notRegistered,
          "could not fetch anonymously: '\(session.profile.name)' is not registered with credentials",
          resource: .deviceNotAuthenticated, subject: session.profile.name.description)
      }
    }
  }
}

extension HTTPResponse {
  /// Whether the token counts no longer: 401, or the 419 of servers of the Onegini family.
  var refusesToken: Bool { status == 401 || status == 419 }
}

extension HTTPBody {
  /// Makes the body stand at its start; `false` when it can be read only once.
  fileprivate func rewind() -> Bool {
    switch self {
    case .none, .bytes: true
    case .stream(let source, _): source.rewind()
    }
  }
}
