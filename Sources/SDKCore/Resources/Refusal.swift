import HTTP
import OAuth

/// Why a resource server refused a token with 401 or 419.
enum Refusal: Sendable, Hashable {
  /// It requires another proof, with the nonce of this response.
  case nonce
  /// It does not accept the proof; a new token or a second proof would not help.
  case proof
  /// It requires a new login of the user; a refresh would not help.
  case login(StepUp)
  /// It does not accept the token.
  case token

  /// Reads the refusal of a response; `nil` if the response is not a refusal.
  init?(_ response: HTTPResponse, ofBound isBound: Bool) {
    guard response.refusesToken else { return nil }
    let scheme = DPoP.tokenType
    if isBound, response.names("use_dpop_nonce", scheme: scheme) {
      self = .nonce
    } else if isBound, response.names("invalid_dpop_proof", scheme: scheme) {
      self = .proof
    } else {
      self = StepUp(response).map { .login($0) } ?? .token
    }
  }
}

/// The attempts that are left if a token is refused: each is made at most once for a request.
struct RetryBudget: Sendable {
  /// Whether the token may be renewed.
  var renews: Bool
  /// Whether the user may be asked to log in again.
  var stepsUp: Bool
  /// Whether the request may be sent again with the nonce of the server's response.
  var repeatsForNonce: Bool

  /// For requests without a token.
  static let none = RetryBudget(renews: false, stepsUp: false, repeatsForNonce: false)

  /// Whether a response is not delivered, because another attempt follows.
  func holdsBack(
    _ response: HTTPResponse, to credential: Credential, nonce: String?
  ) -> Bool {
    switch Refusal(response, ofBound: credential.dpop != nil) {
    case .token: renews
    case .login: stepsUp
    case .nonce: repeats(after: response, to: credential, nonce: nonce)
    case .proof, nil: false
    }
  }

  /// Whether a hop is sent again with the nonce of its response; `nonce` is the one that was sent.
  func repeats(
    after response: HTTPResponse, to credential: Credential, nonce: String?
  ) -> Bool {
    repeatsForNonce && credential.dpop != nil && DPoP.isAsked(again: response, after: nonce)
  }
}
