import HTTP
import OAuth
import Synchronization

/// Sends the hops of one resource request, and calls the observers of the session for each.
final class ObservedTransport: Transport {
  private let transport: any Transport
  private let observers: [any RequestObserver]
  private let id: ObservedRequest.ID
  private let origin: HTTPURL
  private let state = Mutex(State())

  private struct State {
    var hasLeftOrigin = false
    var failure: SDKError?
  }

  /// Makes the transport of one request, whose first hop has the URL `origin`.
  init(
    _ transport: any Transport, _ observers: [any RequestObserver], id: ObservedRequest.ID,
    origin: HTTPURL
  ) {
    self.transport = transport
    self.observers = observers
    self.id = id
    self.origin = origin
  }

  /// The failure of an observer, which replaces the transport's error.
  var failure: SDKError? { state.withLock { $0.failure } }

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    guard !observers.isEmpty else { return try await transport.send(request, receiving: body) }
    // After a hop to another origin, that server has chosen all further URLs, also at the first origin.
    let isAtOrigin = state.withLock { state in
      if !request.url.sharesOrigin(with: origin) { state.hasLeftOrigin = true }
      return !state.hasLeftOrigin
    }
    var resends = 0
    while true {
      let observed = try await observed(request, isAtOrigin)
      let filter = ChallengeFilter(body, of: observed, observers)
      let outcome = await exchange(observed, filter)
      guard let challenge = filter.challenge(in: outcome), resends < Self.maximumResends,
        challenge.kind == .requested || request.body.rewind(),
        try await decision(on: challenge, to: observed) == .resend
      else { return try filter.deliver(outcome).get() }
      resends += 1
    }
  }

  private func observed(
    _ request: HTTPRequest, _ isAtOrigin: Bool
  ) async throws(TransportError) -> ObservedRequest {
    var observed = ObservedRequest(id: id, request, isAtOrigin: isAtOrigin)
    do throws(SDKError) {
      for observer in observers { try await observer.willSend(&observed) }
    } catch {
      throw note(error, observed)
    }
    return observed
  }

  private func exchange(
    _ observed: ObservedRequest, _ filter: ChallengeFilter
  ) async -> Result<HTTPResponse, TransportError> {
    do throws(TransportError) {
      var response = try await transport.send(observed.sent, receiving: filter.receiver)
      if let identity = observed.identity { response.clientIdentity = identity.name.description }
      return .success(response)
    } catch {
      return .failure(error)
    }
  }

  private func decision(
    on challenge: ClientCertificateRefusal, to observed: ObservedRequest
  ) async throws(TransportError) -> ChallengeDecision {
    do throws(SDKError) {
      for observer in observers {
        let decision = try await observer.didReceive(challenge, to: observed)
        if decision != .fail { return decision }
      }
      return .fail
    } catch {
      throw note(error, observed)
    }
  }

  /// The transport's error for the failure of an observer, which is kept.
  private func note(_ error: SDKError, _ observed: ObservedRequest) -> TransportError {
    state.withLock { $0.failure = error }
    return TransportError(.refused, error.message, host: observed.url.host)
  }

  /// A limit for observers that always send again.
  private static let maximumResends = 5
}
