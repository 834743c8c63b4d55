public import HTTP
import JSON
import Primitives
import Synchronization

/// Shows a client certificate to servers that ask for one, and obtains it if there is none.
///
/// An identity of the host that is ready to use is shown in the first handshake, if the server asks.
/// Otherwise, or if it is not of the authorities that the server names, the handshake ends, and the
/// store is asked for one of these. If there is
/// none, one is obtained and stored, and the request is sent again. A stored one that the server
/// refuses is deleted and a new one obtained, once; if the server refuses that as well, the request
/// fails, with all that wait for the same identity. One identity is obtained at a time, across
/// tasks and processes. A later request may obtain one again.
///
/// A session has one by default. Registering another one at ``ProfileSession/resources`` replaces
/// it.
public final class IdentityObserver: RequestObserver {
  /// Called with a new identity and its host, before the requests that wait for it go on.
  public typealias AuthenticationHandler =
    @Sendable (Identity, String) async throws(SDKError) -> Void

  /// When a server is taken to want a client certificate.
  public struct Rules: Sendable, Hashable {
    /// Whether an identity is obtained as soon as a server asks, or only if it refuses to do
    /// without.
    public var obtainsWhenAsked: Bool
    /// Statuses that mean a refusal of the certificate, beside nginx's pages for 400, 495 and 496.
    public var refusalStatuses: Set<Int>

    /// Makes rules.
    public init(obtainsWhenAsked: Bool = true, refusalStatuses: Set<Int> = []) {
      self.obtainsWhenAsked = obtainsWhenAsked
      self.refusalStatuses = refusalStatuses
    }
  }

  let enrolment: IdentityEnrolment
  let rules: Rules
  let decisions = IdentityDecisions()
  let states = Mutex(IdentityStates())

  init(_ enrolment: IdentityEnrolment, _ rules: Rules) {
    self.enrolment = enrolment
    self.rules = rules
  }

  /// Shows the identity that the server is known to want.
  ///
  /// - Throws: ``SDKError`` if the stored identity cannot be read or unsealed.
  public func willSend(_ request: inout ObservedRequest) async throws(SDKError) {
    // The certificate of a token that is bound to it comes first.
    guard request.isAtOrigin, request.clientCertificate == nil, request.url.scheme == .https
    else { return }
    let state = try await state(of: request)
    if let identity = state.shown { request.show(identity, isGuess: state.isGuess) }
    request.certificateRule = ObservedRequest.CertificateRule(
      stopsIfRequested: !state.goesWithout && (state.shown == nil || state.isGuess),
      refusalStatuses: rules.refusalStatuses)
  }

  /// What is known of a request; the store is asked once for each server.
  private func state(
    of request: ObservedRequest
  ) async throws(SDKError) -> IdentityStates.Request {
    let (id, url) = (request.id, request.url)
    if let state = states.withLock({ $0.begin(id, at: url) }) { return state }
    let ready = try await enrolment.store.readyIdentity(for: url.host)
    if let ready, let trace = enrolment.trace {
      trace("* identity \(ready.name) for \(url.host), if it asks: \(ready.chain.subject)")
    }
    return states.withLock { states in
      let origin = url.origin
      if states.known[origin] == nil {
        states.known[origin] = IdentityStates.Known(identity: ready, isGuess: ready != nil)
      }
      return states.begin(id, at: url) ?? IdentityStates.Request()
    }
  }

  /// Notes that the server has accepted what it was shown.
  public func didReceive(_ response: HTTPResponse, to request: ObservedRequest) {
    guard request.isAtOrigin, let rule = request.certificateRule, !rule.concerns(response) else {
      return
    }
    accept(request.id, at: request.url)
  }

  /// Lets those go on who wait for the identity: it was not refused.
  public func didFail(_ request: ObservedRequest.ID, with error: SDKError) {
    accept(request, at: nil)
  }

  /// Forgets the request.
  public func didComplete(
    _ request: ObservedRequest.ID, with result: Result<HTTPResponse, SDKError>
  ) async {
    // Whatever else has failed, it was not the identity.
    accept(request, at: nil)
    states.withLock { states in
      states.requests[request] = nil
    }
  }

  /// Whether an identity may be obtained for that server: only for the profile's own.
  func mayObtain(for url: HTTPURL) -> Bool {
    enrolment.obtainer != nil && enrolment.profile.allowsCredential(to: url)
  }

  /// Notes that the server did not refuse what it was shown, and lets those who wait go on.
  private func accept(_ id: ObservedRequest.ID, at url: HTTPURL?) {
    guard let lead = states.withLock({ $0.accept(id, at: url) }) else { return }
    lead.lock?.release()
    decisions.end(lead.host, .success(lead.decision))
  }
}

extension Profile {
  /// When a server is taken to want a client certificate.
  var identityRules: IdentityObserver.Rules {
    IdentityObserver.Rules(
      obtainsWhenAsked: self.identityWhen != "refused",
      refusalStatuses: Set(self.identityRefusedStatus.compactMap { Int($0) }))
  }
}
