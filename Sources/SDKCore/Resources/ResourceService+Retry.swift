public import HTTP

extension ResourceService {
  /// Sends a resource request, and sends it again after transient failures.
  ///
  /// A response of a transient failure is delivered only if it is the last one. If a body breaks
  /// off, the request is sent again only if the sink can start again. `prepare` changes the
  /// request before each attempt.
  ///
  /// - Throws: ``SDKError``.
  public func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    loggingIn logIn: LoginHandler? = nil, retrying policy: RetryPolicy,
    preparing prepare: (@Sendable (inout ResourceRequest) -> Void)? = nil
  ) async throws(SDKError) -> HTTPResponse {
    try await send(
      request, as: access, of: RequestOwner(tokens.slots), receiving: body, loggingIn: logIn,
      retrying: policy, preparing: prepare)
  }

  /// Sends a resource request as one of several that are the same user's, with repetitions.
  func send(
    _ request: ResourceRequest, as access: Access, of owner: RequestOwner,
    receiving body: HTTPBodyReceiver, loggingIn logIn: LoginHandler? = nil,
    retrying policy: RetryPolicy,
    preparing prepare: (@Sendable (inout ResourceRequest) -> Void)? = nil
  ) async throws(SDKError) -> HTTPResponse {
    var attempt = 0
    while true {
      var current = request
      prepare?(&current)
      let wait = retryDelay(for: current, policy, attempt)
      var receiver = body
      var filter: RetryFilter?
      if case .sink(let sink) = body {
        let made = RetryFilter(sink, wait: wait)
        (filter, receiver) = (made, .sink(made))
      }
      do throws(SDKError) {
        let response = try await send(
          current, as: access, of: owner, receiving: receiver, loggingIn: logIn)
        let held = filter.map { $0.held?.wait } ?? wait(response)
        guard let held, current.body?.rewind() ?? true else { return response }
        try await pause(held, policy, "the server returned \(response.status)", attempt)
      } catch {
        if let held = filter?.held {
          // The filter has ended the transfer of a response that it holds, because of its long body.
          try await pause(held.wait, policy, "the server returned \(held.response.status)", attempt)
        } else {
          guard error.code == .network, attempt < policy.count,
            RetryPolicy.mayRepeat(current.method), current.body?.rewind() ?? true,
            fits(policy.delay(before: attempt)), filter?.canRestart() ?? true
          else { throw error }
          try await pause(policy.delay(before: attempt), policy, error.message, attempt)
        }
      }
      attempt += 1
    }
  }

  /// Returns the wait before the next attempt for a response of this one; `nil` to deliver the response.
  private func retryDelay(
    for request: ResourceRequest, _ policy: RetryPolicy, _ attempt: Int
  ) -> @Sendable (HTTPResponse) -> Duration? {
    let mayRepeat =
      attempt < policy.count && RetryPolicy.mayRepeat(request.method)
      && (request.body?.rewind() ?? true)
    return { response in
      guard mayRepeat, RetryPolicy.isTransient(response.status) else { return nil }
      let wait = policy.delay(before: attempt, retryAfter: response.retryAfter(at: self.now()))
      return fits(wait) ? wait : nil
    }
  }

  /// Whether a wait ends before the deadline.
  private func fits(_ wait: Duration) -> Bool {
    environment.clock.limits.remaining.map { wait < $0 } ?? true
  }

  private func pause(
    _ wait: Duration, _ policy: RetryPolicy, _ cause: String, _ attempt: Int
  ) async throws(SDKError) {
    policy.report?(cause, wait, attempt + 1)
    do {
      try await environment.clock.pause(wait)
    } catch {
      throw SDKError(.cancelled, "could not send the request again: it was cancelled")
    }
  }
}
