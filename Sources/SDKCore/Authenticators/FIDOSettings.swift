import HTTP
import Primitives

/// The settings of a profile for its FIDO server: the section `fido`.
struct FIDOSettings: Sendable {
  let profile: Profile
  private let base: HTTPURL

  /// Reads the section `fido`.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` without `fido.url`.
  init(_ profile: Profile) throws(SDKError) {
    guard let url = profile.fidoURL else {
      throw SDKError(
        .invalidConfiguration, cause: "the profile has no fido.url", subject: "fido.url",
        remedy: .setProfile(key: "fido.url", value: nil))
    }
    self.profile = profile
    base = url
  }

  /// The URL of a path of the profile.
  func url(_ path: KeyPath<ProfileKeys, Key<String>>) throws(SDKError) -> HTTPURL {
    try attempt(as: .invalidConfiguration) {
      try base.appending(profile[dynamicMember: path])
    }
  }

  /// What this program is to the server.
  var facetID: String { profile.fidoFacetID ?? base.origin }

  /// How long a request may take.
  var networkTimeout: Duration { .seconds(profile.fidoNetworkTimeout) }

  /// How long a person has to answer a question.
  var interactionTimeout: Duration { .seconds(profile.fidoInteractionTimeout) }

  /// The credential in the response to an authentication.
  func returned(in response: HTTPResponse, _ cookies: [Cookie]) -> ReturnedCredential {
    ReturnedCredential(
      kind: profile.fidoProvider, place: profile.fidoJWT, names: profile.fidoCookies,
      responses: [response], cookies: cookies)
  }
}
