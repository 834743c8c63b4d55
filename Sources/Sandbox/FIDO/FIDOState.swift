import JSON

/// What the UAF server remembers.
struct FIDOState: Sendable {
  /// A key that was registered.
  struct Key: Sendable {
    let aaid: String
    /// The identifier as messages have it: base64url.
    let keyID: String
    let extID: String
    let subject: String
    let key: UAFKey
    let signatureAlgorithm: UInt16
    var authenticatorVersion: UInt16
    var signCounter: UInt32
    /// How many authentications with it are still told that it is not known.
    var late: Int
  }

  var options = FIDOOptions()
  private(set) var authenticators: [String: FIDOAuthenticator] = [:]
  private(set) var keys: [Key] = []
  /// The requests that wait for their response, by their server data.
  private var requests: [String: UAFRequest] = [:]
  /// The registration counters of authenticators that have a certificate of their own.
  private var registrationCounters: [String: UInt32] = [:]
  var targets = DispatchTargets()
  private(set) var authentications = 0
  private(set) var registrations = 0

  /// The models that are known without a metadata statement.
  ///
  /// The first is the development identifier of sdkctl, the others are those of Nevis.
  static let models = [
    "FFFF#0001", "F1D0#1001", "F1D0#1002", "F1D0#1003", "F1D0#1004", "F1D0#1005",
  ]

  init() { for aaid in Self.models { authenticators[aaid] = FIDOAuthenticator(aaid: aaid) } }

  mutating func know(_ authenticator: FIDOAuthenticator) {
    authenticators[authenticator.aaid] = authenticator
  }

  // MARK: Requests

  mutating func note(_ request: UAFRequest, now: Int) {
    requests = requests.filter { $0.value.expiresAt + 600 > now }
    requests[request.serverData] = request
  }

  /// The request that a response belongs to; it is forgotten.
  mutating func takeRequest(
    _ serverData: String, _ operation: UAFRequest.Operation, now: Int
  ) throws(UAFRefusal) -> UAFRequest {
    guard let request = requests.removeValue(forKey: serverData), request.operation == operation
    else { throw UAFRefusal(1491, "the server data is unknown, or was used already") }
    guard now < request.expiresAt else { throw UAFRefusal(1491, "the request has expired") }
    return request
  }

  // MARK: Keys

  func keys(of subject: String) -> [Key] { keys.filter { $0.subject == subject } }

  /// Adds a key; `origin` is the thumbprint of the certificate that only its authenticator has.
  mutating func add(
    _ key: Key, registrationCounter: UInt32, origin: String?
  ) throws(UAFRefusal) {
    guard !keys.contains(where: { $0.aaid == key.aaid && $0.keyID == key.keyID }) else {
      throw UAFRefusal(1494, "a key with this identifier is registered already")
    }
    if let origin {
      let origin = key.aaid + origin
      let last = registrationCounters[origin] ?? 0
      guard registrationCounter > last || (registrationCounter == 0 && last == 0) else {
        throw .content("the registration counter of the authenticator went back")
      }
      registrationCounters[origin] = registrationCounter
    }
    keys.append(key)
    registrations += 1
  }

  /// The key of an assertion, which must be known and of the person.
  mutating func key(
    _ aaid: String, _ keyID: String, of subject: String?
  ) throws(UAFRefusal) -> Key {
    guard let index = keys.firstIndex(where: { $0.aaid == aaid && $0.keyID == keyID }),
      subject == nil || keys[index].subject == subject
    else { throw UAFRefusal(1481, "the key is not known") }
    guard keys[index].late == 0 else {
      keys[index].late -= 1
      throw UAFRefusal(1481, "the key is not known yet")
    }
    return keys[index]
  }

  /// Notes an authentication with a key, whose counters must have grown.
  mutating func noteUse(_ key: Key, _ assertion: AuthenticationAssertion) throws(UAFRefusal) {
    guard let index = keys.firstIndex(where: { $0.aaid == key.aaid && $0.keyID == key.keyID })
    else { throw UAFRefusal(1481, "the key is not known") }
    let last = keys[index].signCounter
    guard assertion.signCounter > last || (assertion.signCounter == 0 && last == 0) else {
      throw .content("the signature counter is not greater than the last one")
    }
    guard assertion.info.authenticatorVersion >= keys[index].authenticatorVersion else {
      throw UAFRefusal(1492, "the version of the authenticator went back")
    }
    keys[index].signCounter = assertion.signCounter
    keys[index].authenticatorVersion = assertion.info.authenticatorVersion
    authentications += 1
  }

  mutating func remove(_ former: [Key]) {
    keys.removeAll { key in former.contains { $0.extID == key.extID } }
  }

  var json: JSON {
    [
      "options": options.json, "registrations": .int(registrations),
      "authentications": .int(authentications),
      "authenticators": .array(
        authenticators.values.sorted { $0.aaid < $1.aaid }.map(\.json)),
      "keys": .array(
        keys.map { key in
          [
            "aaid": .string(key.aaid), "keyId": .string(key.keyID), "extId": .string(key.extID),
            "subject": .string(key.subject), "signCounter": .int(Int(key.signCounter)),
          ]
        }),
    ]
  }
}
