import OAuth

/// A user who pastes the address from a browser, which may be on another machine.
///
/// Nothing listens: the browser ends at an address that leads nowhere, which the person pastes.
struct PastedRoute: ResponseRoute {
  let redirectURI: String
  private let present: ChallengeHandler
  private let paste: LoginPaste

  init(
    _ login: LoginService, present: @escaping ChallengeHandler, paste: @escaping LoginPaste
  ) throws(SDKError) {
    let registered = try login.records.required().redirectURIs.first
    redirectURI = registered ?? Self.redirectURI(login.profile)
    self.present = present
    self.paste = paste
  }

  var source: ExpectedResponse.Source { .person }

  func carry(_ challenge: BrowserChallenge) async {
    if challenge.flaw == nil { await present(challenge) }
    do {
      challenge.respond(with: try await paste(challenge.flaw))
    } catch {
      challenge.fail(error)
    }
  }

  /// Where a client without a registered address sends the browser (RFC 8252 section 7.3).
  private static func redirectURI(_ profile: Profile) -> String {
    "http://127.0.0.1:\(profile.redirectPort ?? 61_000)/callback"
  }
}
