import JSON

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
  case futureIssue = "future-iat"
  case keysDropped = "keys-dropped"
  case manyKeys = "many-keys"
  case otherSubject = "other-sub"
  case dateSkewed = "date-skew"
  case lostRotation = "lost-rotation"
  case narrowedRotation = "narrowed-rotation"
  case defaultScope = "default-scope"
  case rawBasic = "raw-basic"
  case certificateSwapped = "certificate-swapped"
  case outdatedApplication = "outdated-app"
  case outdatedSystem = "outdated-os"
  case uafWrongOperation = "uaf-wrong-op"
  case uafWrongVersion = "uaf-wrong-version"
  case uafForeignApplication = "uaf-foreign-app"
  case uafCriticalExtension = "uaf-critical-extension"
  case uafChallengeNumber = "uaf-challenge-number"
  case uafShortChallenge = "uaf-short-challenge"
  case uafNoMatch = "uaf-no-match"
  case uafOversize = "uaf-oversize"
  case uafGarbage = "uaf-garbage"
  case facetUnlisted = "facet-unlisted"
  case facetsRedirected = "facets-redirected"

  /// Where a fault shows.
  enum Place: Sendable {
    case answer
    case idToken
    case keys
    case userInfo
    case authorizationResponse
    case rotation
    case narrowing
    case missingScope
    case basicCredential
    case connection
    case validation
    case uafRequest
    case uafToken
    case facets
  }

  var place: Place {
    switch self {
    case .latency, .internalError, .unavailable, .cutBody, .wrongLength, .garbage, .html,
      .dateSkewed:
      .answer
    case .unknownKeyID, .wrongIssuer, .wrongAudience, .wrongNonce, .wrongTokenHash,
      .badSignature, .unsigned, .expired, .clockSkew, .futureIssue,
      .keysDropped:
      .idToken
    case .manyKeys: .keys
    case .otherSubject: .userInfo
    case .stateAltered, .issuerAltered: .authorizationResponse
    case .lostRotation: .rotation
    case .narrowedRotation: .narrowing
    case .defaultScope: .missingScope
    case .rawBasic: .basicCredential
    case .certificateSwapped: .connection
    case .outdatedApplication, .outdatedSystem: .validation
    case .uafWrongOperation, .uafWrongVersion, .uafForeignApplication, .uafCriticalExtension,
      .uafChallengeNumber, .uafShortChallenge, .uafNoMatch, .uafOversize, .uafGarbage:
      .uafRequest
    case .facetUnlisted, .facetsRedirected: .facets
    }
  }

  /// What `fault list` says, in one line.
  var summary: String {
    switch self {
    case .latency: "the answer comes late (three seconds, or --delay)"
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
    case .futureIssue: "the ID token says that it was issued in an hour"
    case .keysDropped: "the ID token's key is gone before it can be fetched"
    case .manyKeys: "the JWK set has 5,000 more keys"
    case .otherSubject: "userinfo tells of another person"
    case .dateSkewed: "the Date field is an hour behind"
    case .lostRotation: "the refresh token is rotated and the answer is lost"
    case .narrowedRotation: "a refresh for less scope narrows the login for good"
    case .defaultScope: "a login without a scope gets one"
    case .rawBasic: "Basic credentials are not form-decoded"
    case .certificateSwapped: "the next connection shows another chain"
    case .outdatedApplication: "the version of the application is blocked (9004)"
    case .outdatedSystem: "the version of the operating system is blocked (9005)"
    case .uafWrongOperation: "the UAF request is for another operation"
    case .uafWrongVersion: "the UAF request has a version that nobody speaks"
    case .uafForeignApplication: "the UAF request is of another application"
    case .uafCriticalExtension: "the UAF request has an extension that must be known"
    case .uafChallengeNumber: "the challenge of the UAF request is a number"
    case .uafShortChallenge: "the challenge of the UAF request is too short"
    case .uafNoMatch: "the UAF request accepts no authenticator that exists"
    case .uafOversize: "the UAF request has 4 MiB"
    case .uafGarbage: "the UAF request is half a document"
    case .facetUnlisted: "the list of facets names only another one"
    case .facetsRedirected: "the list of facets redirects, and does not authorize it"
    }
  }
}
