public import HTTP
import POSIX
import Synchronization

/// Shows a client certificate to servers that ask for one, and obtains it if there is none.
///
/// An identity of the host that is ready to use is shown in the first handshake, if the server asks. Otherwise, or if
/// it is not of the authorities that the server names, the handshake ends, and the store is asked for one of these.
/// If there is none, one is obtained and stored, and the request is sent again. A stored one that the server refuses
/// is deleted and a new one obtained, once; if the server refuses that as well, the request fails, with all that wait
/// for the same identity. One identity is obtained at a time, across tasks and processes. A later request may obtain
/// one again.
///
/// A session has one by default. Registering another one at ``ProfileSession/resources`` replaces it.
public final class IdentityObserver: RequestObserver {
  /// Called with a new identity and its host, before the requests that wait for it go on.
  public typealias AuthenticationHandler =
    @Sendable (Identity, String) async throws(SDKError) -> Void

  /// When a server is taken to want a client certificate.
  public struct Rules: Sendable, Hashable {
    /// Whether an identity is obtained as soon as a server asks, or only if it refuses to do without.
    public var obtainsWhenAsked: Bool
    /// Statuses that mean a refusal of the certificate, beside nginx's pages for 400, 495 and 496.
    public var refusalStatuses: Set<Int>

    /// Makes rules.
    public init(obtainsWhenAsked: Bool = true, refusalStatuses: Set<Int> = []) {
      self.obtainsWhenAsked = obtainsWhenAsked
      self.refusalStatuses = refusalStatuses
    }
  }

  /// What a request under way shows, and what was decided for it.
  struct Request: Sendable {
    var shown: Identity?
    /// Whether that was chosen before the server has named its authorities.
    var isGuess = false
    /// Whether it was repeated after the connection closed without a reason.
    var hasRepeated = false
    /// What was decided for it, or for one that it has waited for.
    var decision: IdentityDecision?
    /// The host for which it tries a new identity, for which others wait.
    var pendingHost: String?

    /// Whether the server may decide without a certificate, because there is none.
    var goesWithout: Bool { decision.map { $0.identity == nil } ?? false }
  }

  private struct State: Sendable {
    /// The requests under way, except those that show nothing and of which nothing is known.
    var requests: [ObservedRequest.ID: Request] = [:]
    /// How requests to an origin begin.
    var known: [String: Request] = [:]
    /// The origins for which it was said why nothing is shown.
    var told: Set<String> = []
    /// The decisions that are being made, by host: one task makes it, and the others wait.
    var decisions: [String: OneShot<Result<IdentityDecision, SDKError>>] = [:]

    /// What is known of a request that is about to be sent; `nil` if the store must be asked first.
    mutating func begin(_ id: ObservedRequest.ID, at url: HTTPURL) -> Request? {
      if let request = requests[id] { return request }
      guard let request = known[url.origin] else { return nil }
      if request.shown != nil { requests[id] = request }
      return request
    }
  }

  let enrolment: IdentityEnrolment
  let rules: Rules
  private let state = Mutex(State())

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
    let known = try await begun(request)
    if let identity = known.shown { request.show(identity, isGuess: known.isGuess) }
    request.certificateRule = ObservedRequest.CertificateRule(
      stopsIfRequested: !known.goesWithout && (known.shown == nil || known.isGuess),
      refusalStatuses: rules.refusalStatuses)
  }

  /// What is known of a request; the store is asked once for each server.
  private func begun(_ request: ObservedRequest) async throws(SDKError) -> Request {
    let (id, url) = (request.id, request.url)
    if let known = state.withLock({ $0.begin(id, at: url) }) { return known }
    let ready = try await enrolment.store.readyIdentity(for: url.host)
    if let ready, let trace = enrolment.trace {
      trace("* identity \(ready.name) for \(url.host), if it asks: \(ready.chain.subject)")
    }
    return state.withLock { state in
      if state.known[url.origin] == nil {
        state.known[url.origin] = Request(shown: ready, isGuess: ready != nil)
      }
      return state.begin(id, at: url) ?? Request()
    }
  }

  /// Notes that the server has accepted what it was shown; if that was nothing, says why.
  public func didReceive(_ response: HTTPResponse, to request: ObservedRequest) {
    guard let rule = request.certificateRule, !rule.concerns(response) else { return }
    let known = known(request.id)
    if known.shown != nil { remember(known, at: request.url) }
    if known.goesWithout, let objection = known.decision?.objection, tell(request.url.origin) {
      enrolment.notice?(.identityWithheld(objection.message))
    }
    endWait(for: request.id)
  }

  /// Lets those go on who wait for the identity: it was not refused.
  public func didFail(_ request: ObservedRequest.ID, with error: SDKError) {
    endWait(for: request)
  }

  /// Forgets the request.
  public func didComplete(
    _ request: ObservedRequest.ID, with result: Result<HTTPResponse, SDKError>
  ) async {
    // Whatever else has failed, it was not the identity.
    endWait(for: request)
    state.withLock { $0.requests[request] = nil }
  }

  func known(_ id: ObservedRequest.ID) -> Request {
    state.withLock { $0.requests[id] ?? Request() }
  }

  func change(_ id: ObservedRequest.ID, _ body: (inout Request) -> Void) {
    state.withLock { body(&$0.requests[id, default: Request()]) }
  }

  /// Has requests to the origin of a URL show what this one does; with `nil`, the store is asked again.
  func remember(_ request: Request?, at url: HTTPURL) {
    state.withLock {
      $0.known[url.origin] = request.map { Request(shown: $0.shown, isGuess: $0.isGuess) }
    }
  }

  /// Notes that it is said why nothing is shown to an origin; `false` if that was said before.
  func tell(_ origin: String) -> Bool { state.withLock { $0.told.insert(origin).inserted } }

  /// The decision that another task makes for a host; `nil` if it is this one's to make.
  func decision(for host: String) -> OneShot<Result<IdentityDecision, SDKError>>? {
    state.withLock { state in
      if let decision = state.decisions[host] { return decision }
      state.decisions[host] = OneShot()
      return nil
    }
  }

  func end(_ host: String, _ result: Result<IdentityDecision, SDKError>) {
    state.withLock { $0.decisions.removeValue(forKey: host) }?.set(result)
  }

  /// Lets those who wait for the new identity of a request go on, or fail with the error.
  func endWait(for id: ObservedRequest.ID, failing error: SDKError? = nil) {
    let request = state.withLock { state in
      defer { state.requests[id]?.pendingHost = nil }
      return state.requests[id]
    }
    guard let host = request?.pendingHost, let decision = request?.decision else { return }
    decision.lock?.release()
    end(host, error.map { .failure($0) } ?? .success(decision))
  }
}

extension Profile {
  var identityRules: IdentityObserver.Rules {
    IdentityObserver.Rules(
      obtainsWhenAsked: self.identityWhen != "refused",
      refusalStatuses: Set(self.identityRefusedStatus))
  }
}

/// Shows one identity that the caller chose, to the server that a request is for.
///
/// If the server refuses it, the request fails; nothing is deleted or obtained.
final class NamedIdentityObserver: RequestObserver {
  private let name: IdentityName
  private let store: IdentityStore
  private let opening = SharedTask<Identity>()

  init(_ name: IdentityName, in store: IdentityStore) {
    self.name = name
    self.store = store
  }

  func willSend(_ request: inout ObservedRequest) async throws(SDKError) {
    guard request.isAtOrigin, request.url.scheme == .https else { return }
    let identity = try await opening.value { [store, name] () async throws(SDKError) in
      try await store.unsealed(try store.identity(named: name))
    }
    request.show(identity)
  }
}
