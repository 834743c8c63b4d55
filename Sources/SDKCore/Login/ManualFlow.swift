import HTTP
import OAuth
import POSIX

/// One login whose answer a person carries over from a browser that may be anywhere.
///
/// Nothing listens: the browser ends at an address that leads nowhere, which the person pastes.
struct ManualFlow: Sendable {
  private let flow: CodeFlow
  private let attempts: Int

  init(_ session: ProfileSession, _ options: LoginOptions) async throws(SDKError) {
    let registration = try session.requiredRegistration()
    let redirectURI = registration.redirectURIs.first ?? Self.redirectURI(session.profile)
    flow = try await CodeFlow(session, options, redirectURI: redirectURI)
    attempts = options.attempts
  }

  /// Shows the URL and asks for the answer, again while what comes is none and time is left.
  func run(
    within limit: Duration, present: @Sendable (HTTPURL) async -> Void,
    paste: @escaping LoginPaste
  ) async throws(SDKError) -> LoginResult {
    let end = ContinuousClock.now + limit
    await present(flow.url)
    var complaint: String?
    for _ in 0..<attempts {
      let text = try await pasted(until: end, complaint, paste)
      let answer = AuthorizationResponse(pasted: text)
      complaint = answer.map { $0.flaw(for: flow.request) } ?? "it is badly encoded"
      if complaint == nil, let answer { return try await flow.finish(answer) }
    }
    throw SDKError(
      .untrusted,
      "\(CodeFlow.action): what was pasted is not the answer: \(complaint ?? "nothing was pasted"); "
        + "paste the whole address that the browser was sent to, beginning with "
        + flow.request.redirectURI,
      resource: .invalidState)
  }

  /// What is pasted in time; afterwards nobody asks any more, and the terminal is in order.
  private func pasted(
    until end: ContinuousClock.Instant, _ complaint: String?, _ paste: @escaping LoginPaste
  ) async throws(SDKError) -> String {
    let answer = Latch<Result<String, SDKError>>()
    let asking = Task {
      do throws(SDKError) {
        answer.open(.success(try await paste(complaint)))
      } catch {
        answer.open(.failure(error))
      }
    }
    if let pasted = await answer.wait(timeout: end - .now) { return try pasted.get() }
    asking.cancel()
    await asking.value
    if Task.isCancelled { throw SDKError(.cancelled, "\(CodeFlow.action): cancelled") }
    throw SDKError(.network, "\(CodeFlow.action): nothing was pasted in time")
  }

  /// Where a client without a registered address sends the browser (RFC 8252 section 7.3).
  private static func redirectURI(_ profile: Profile) -> String {
    "http://127.0.0.1:\(profile.redirectPort ?? 61_000)/callback"
  }
}
