public import HTTP
import POSIX

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
    let state = known(request.id)
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
      remember(nil, at: request.url)
      if state.decision?.isFresh == true {
        let error = await enrolment.rejection(of: refused, by: host, challenge.cause)
        endWait(for: request.id, failing: error)
        throw error
      }
    }
    let mayObtain =
      mayObtain(for: request.url) && (rules.obtainsWhenAsked || challenge.kind != .requested)
    if state.goesWithout, !mayObtain { return try failed(state.decision, challenge, request) }
    let decision = try await decide(host, challenge, refused, mayObtain, request.id)
    // Without an identity a refused request would be refused again.
    guard decision.identity != nil || challenge.kind == .requested else {
      return try failed(decision, challenge, request)
    }
    if let identity = decision.identity, identity.clientCertificate == nil {
      throw SDKError(
        .identity, cause: "the key of the identity '\(identity.name)' is in a security token",
        subject: host)
    }
    change(request.id) { state in
      state.shown = decision.identity
      state.isGuess = false
      state.decision = decision
    }
    if decision.identity == nil { remember(Request(), at: request.url) }
    trace(decision.identity, host)
    return .resend
  }

  private func failed(
    _ decision: IdentityDecision?, _ challenge: ClientCertificateRefusal,
    _ request: ObservedRequest
  ) throws(SDKError) -> ChallengeDecision {
    if let objection = decision?.objection { throw objection }
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

  private func mayObtain(for url: HTTPURL) -> Bool {
    enrolment.obtainer != nil && enrolment.profile.allowsCredential(to: url)
  }

  /// Finds or obtains the identity for a host, or waits for the task that does.
  private func decide(
    _ host: String, _ challenge: ClientCertificateRefusal, _ refused: Identity?,
    _ mayObtain: Bool, _ id: ObservedRequest.ID
  ) async throws(SDKError) -> IdentityDecision {
    while let other = decision(for: host) {
      guard let result = await other.wait(), !Task.isCancelled else { throw SDKError.cancelled }
      switch result {
      case .success(let decision):
        // The other task may have asked for less.
        if let identity = decision.identity, identity.chain != refused?.chain { return decision }
        if decision.identity == nil, !mayObtain { return decision }
      case .failure(let error):
        // A task that was cancelled has decided nothing for the others.
        if error.code != .cancelled { throw error }
      }
    }
    do throws(SDKError) {
      let decision = try await enrolment.identity(
        for: host, challenge.issuers, refused: refused, cause: challenge.cause,
        mayObtain: mayObtain)
      if decision.isFresh {
        // Those who wait go on when the server has accepted it.
        change(id) { ($0.decision, $0.pendingHost) = (decision, host) }
      } else {
        end(host, .success(decision))
      }
      return decision
    } catch {
      end(host, .failure(error))
      throw error
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
