/// Something that goes wrong on purpose.
enum Fault: String, CaseIterable, Sendable {
  case latency
  case internalError = "500"
  case unavailable = "503"
  case cutBody = "cut-body"
  case wrongLength = "wrong-length"
  case garbage
  case html
  case unknownKeyID = "unknown-kid"
  case wrongIssuer = "wrong-iss"
  case wrongAudience = "wrong-aud"
  case wrongNonce = "wrong-nonce"
  case wrongTokenHash = "wrong-at-hash"
  case badSignature = "bad-signature"
  case unsigned = "alg-none"
  case expired = "expired-id-token"
  case clockSkew = "clock-skew"
  case stateAltered = "state-altered"
  case issuerAltered = "iss-altered"
  case lostRotation = "lost-rotation"
  case certificateSwapped = "certificate-swapped"

  /// Where a fault shows.
  enum Place: Sendable {
    case answer
    case idToken
    case authorizationResponse
    case rotation
    case connection
  }

  var place: Place {
    switch self {
    case .latency, .internalError, .unavailable, .cutBody, .wrongLength, .garbage, .html: .answer
    case .unknownKeyID, .wrongIssuer, .wrongAudience, .wrongNonce, .wrongTokenHash,
      .badSignature, .unsigned, .expired, .clockSkew:
      .idToken
    case .stateAltered, .issuerAltered: .authorizationResponse
    case .lostRotation: .rotation
    case .certificateSwapped: .connection
    }
  }

  /// What `fault list` says, in one line.
  var summary: String {
    switch self {
    case .latency: "the answer comes three seconds late"
    case .internalError: "the answer is 500"
    case .unavailable: "the answer is 503 with Retry-After: 1"
    case .cutBody: "the connection ends in the middle of the body"
    case .wrongLength: "Content-Length announces half of what is sent"
    case .garbage: "the body is bytes that mean nothing"
    case .html: "the body is an HTML page where JSON belongs"
    case .unknownKeyID: "the ID token names a key that is not published"
    case .wrongIssuer: "the ID token comes from another issuer"
    case .wrongAudience: "the ID token is meant for another client"
    case .wrongNonce: "the ID token answers another login"
    case .wrongTokenHash: "the ID token belongs to another access token"
    case .badSignature: "the signature of the ID token does not fit"
    case .unsigned: "the ID token is unsigned (alg none)"
    case .expired: "the ID token expired an hour ago"
    case .clockSkew: "the ID token was made an hour from now"
    case .stateAltered: "the login returns with another state"
    case .issuerAltered: "the login returns with another iss"
    case .lostRotation: "the refresh token is rotated and the answer is lost"
    case .certificateSwapped: "the next connection shows another chain"
    }
  }
}
