public import HTTP
import Synchronization

extension IdentityObserver {
  /// Shows the stored identity, or obtains one; the request is sent again.
  ///
  /// - Throws: ``SDKError/Code/identity`` if there is no identity that the server accepts; errors
  ///   of the enrolment service.
  public func didReceive(
    _ challenge: ClientCertificateRefusal, to request: ObservedRequest
  ) async throws(SDKError) -> ChallengeDecision {
    // The certificate of a token is not an identity.
    guard request.isAtOrigin, request.clientCertificate == nil || request.identity != nil else {
      return .fail
    }
    let state = states.withLock { $0.requests[request.id] ?? IdentityStates.Request() }
    if challenge.kind == .closed, !state.hasRepeated {
      // The network may be to blame; an identity is not deleted for that.
      guard request.http.method.isIdempotent else { return .fail }
      change(request.id) { $0.hasRepeated = true }
      return .resend
    }
    let host = request.url.host
    // One that was chosen before the server has named its authorities was not refused by that.
    let refused = state.isGuess && challenge.kind == .requested ? nil : state.shown
    if let refused {
      states.withLock { $0.known[request.url.origin] = nil }
      if state.isFresh { throw await refusal(of: refused, by: host, request.id) }
    }
    let mayObtain =
      mayObtain(for: request.url) && (rules.obtainsWhenAsked || challenge.kind != .requested)
    if state.goesWithout, !mayObtain { return try failed(state.objection, challenge, request) }
    let decision = try await decide(host, challenge.issuers, refused, mayObtain, request.id)
    // Without an identity a refused request would be refused again.
    guard decision.identity != nil || challenge.kind == .requested else {
      return try failed(decision.objection, challenge, request)
    }
    if let identity = decision.identity, identity.clientCertificate == nil {
      throw SDKError(
        .identity, cause: "the key of the identity '\(identity.name)' is in a security token",
        subject: host)
    }
    change(request.id) { state in
      state.shown = decision.identity
      state.isGuess = false
      state.isFresh = decision.isFresh
      state.goesWithout = decision.identity == nil
      state.objection = decision.objection
    }
    if decision.identity == nil { goWithout(at: request.url, decision.objection) }
    trace(decision.identity, host)
    return .resend
  }

  /// Fails a request that goes without an identity.
  private func failed(
    _ objection: SDKError?, _ challenge: ClientCertificateRefusal, _ request: ObservedRequest
  ) throws(SDKError) -> ChallengeDecision {
    if let objection { throw objection }
    let profile = enrolment.profile
    // What was closed may have failed for another reason.
    guard enrolment.obtainer != nil, challenge.kind != .closed,
      !profile.allowsCredential(to: request.url)
    else { return .fail }
    throw SDKError(
      .identity,
      cause: "\(request.url.authority) requires a client certificate; the profile does not allow "
        + "that host, so none is obtained for it",
      subject: request.url.host, remedy: profile.remedy(allowing: request.url))
  }

  /// Shows nothing to a server from now on, and says once why.
  private func goWithout(at url: HTTPURL, _ objection: SDKError?) {
    let isNew = states.withLock { states in
      states.known[url.origin] = IdentityStates.Known(identity: nil, isGuess: false)
      return objection != nil && states.told.insert(url.origin).inserted
    }
    if isNew, let objection { enrolment.notice?(.identityWithheld(objection.message)) }
  }

  /// Finds or obtains the identity for a host, or waits for the task that does.
  private func decide(
    _ host: String, _ issuers: [[UInt8]], _ refused: Identity?, _ mayObtain: Bool,
    _ id: ObservedRequest.ID
  ) async throws(SDKError) -> IdentityDecisions.Decision {
    while true {
      switch try await decisions.join(host) {
      case .leader: return try await lead(host, issuers, refused, mayObtain, id)
      case .follower(.success(let decision)):
        // The other task may have asked for less.
        if let identity = decision.identity, identity.chain != refused?.chain { return decision }
        if decision.identity == nil, !mayObtain { return decision }
      case .follower(.failure(let error)):
        // A task that was cancelled has decided nothing for the others.
        if error.code != .cancelled { throw error }
      }
    }
  }

  private func lead(
    _ host: String, _ issuers: [[UInt8]], _ refused: Identity?, _ mayObtain: Bool,
    _ id: ObservedRequest.ID
  ) async throws(SDKError) -> IdentityDecisions.Decision {
    do throws(SDKError) {
      let outcome = try await enrolment.identity(
        for: host, issuers, refused: refused, mayObtain: mayObtain)
      let decision = IdentityDecisions.Decision(
        identity: outcome.identity, isFresh: outcome.isFresh, objection: outcome.objection)
      guard decision.isFresh else {
        decisions.end(host, .success(decision))
        return decision
      }
      // Those who wait go on when the server has accepted it.
      change(id) {
        $0.lead = IdentityStates.Lead(host: host, lock: outcome.lock, decision: decision)
      }
      return decision
    } catch {
      decisions.end(host, .failure(error))
      throw error
    }
  }

  /// Deletes a new identity that was refused, and fails those who wait for it.
  private func refusal(
    of identity: Identity, by host: String, _ id: ObservedRequest.ID
  ) async -> SDKError {
    let error = await enrolment.rejection(of: identity, by: host)
    let lead = states.withLock { states in
      defer { states.requests[id]?.lead = nil }
      return states.requests[id]?.lead
    }
    if let lead {
      lead.lock?.release()
      decisions.end(lead.host, .failure(error))
    }
    return error
  }

  private func change(
    _ id: ObservedRequest.ID, _ body: (inout IdentityStates.Request) -> Void
  ) {
    states.withLock { states in
      body(&states.requests[id, default: IdentityStates.Request()])
    }
  }

  private func trace(_ identity: Identity?, _ host: String) {
    guard let trace = enrolment.trace else { return }
    if let identity {
      trace("* identity \(identity.name) for \(host): \(identity.chain.subject)")
    } else {
      trace("* no identity for \(host)")
    }
  }
}
