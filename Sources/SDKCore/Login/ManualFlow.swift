import HTTP
import OAuth

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

  /// Shows the URL and asks for the answer, again while what comes is none.
  func run(
    present: @Sendable (HTTPURL) async -> Void, paste: LoginPaste
  ) async throws(SDKError) -> LoginResult {
    await present(flow.url)
    var complaint: String?
    for _ in 0..<attempts {
      let text = try await paste(complaint)
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

  /// Where a client without a registered address sends the browser (RFC 8252 section 7.3).
  private static func redirectURI(_ profile: Profile) -> String {
    "http://127.0.0.1:\(profile.redirectPort ?? 61_000)/callback"
  }
}
