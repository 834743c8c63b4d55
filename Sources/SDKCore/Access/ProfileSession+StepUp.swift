package import HTTP
import OAuth
import POSIX

/// Asks the user to log in, as the options say.
package typealias LoginHandler = @Sendable (LoginOptions) async throws(SDKError) -> Void

extension ProfileSession {
  /// Sends a resource request, and lets the user log in for it where nothing else helps, once.
  ///
  /// That is when nobody is logged in, when the login is over, and when the resource wants
  /// the user to authenticate anew or in another way (RFC 9470).
  ///
  /// - Throws: ``SDKError``.
  package func send(
    _ request: ResourceRequest, as access: Access, receiving body: HTTPBodyReceiver,
    loggingIn logIn: LoginHandler?
  ) async throws(SDKError) -> HTTPResponse {
    try await ResourcePipeline(session: self, access: access, logIn: logIn)
      .send(request, receiving: body)
  }

  /// The error of a response that wants the user to log in anew; `nil` for any other response.
  package func stepUpError(of response: HTTPResponse, as access: Access) -> SDKError? {
    guard access.isOfUser, profile.allowsCredential(to: response.url),
      let stepUp = StepUp(response)
    else { return nil }
    let words = stepUp.parameters.map {
      "--\(Self.option[$0.name] ?? $0.name) \(ShellWord.quoted($0.value))"
    }
    return SDKError(
      .stepUpRequired,
      "could not fetch \(response.url.origin)\(response.url.path): the server wants another login "
        + "of the user than this one",
      subject: profile.name.description,
      remedy: injectedToken == nil
        ? "sdkctl -p \(profile.name) login \(words.joined(separator: " "))" : nil)
  }

  /// The options of `login` for the parameters of a request.
  private static let option = ["acr_values": "acr", "max_age": "max-age"]
}

extension Access {
  /// Whether a login of the user can make a difference.
  var isOfUser: Bool { self == .user || self == .implicit }
}

extension SDKError {
  /// Whether a login would help.
  var asksForLogin: Bool { code == .notAuthenticated || code == .sessionExpired }
}
