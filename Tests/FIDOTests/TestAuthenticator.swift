import CoreTestSupport
import UAF

@testable import FIDO
@testable import SDKCore

/// Requests of a server, and an authenticator whose passcode costs little to try.
enum TestAuthenticator {
  static let appID = "https://fido.test/facets"
  static let facetID = "android:apk-key-hash:abc"
  static let challenge = "AAECAwQFBgcICQoLDA0ODw"
  static let file = "state/profiles/work/authenticators/ffff-0001.json"

  static func settings(
    encoding: AssertionEncoding = .der, attestation: AttestationType = .basicFull,
    policy: PasscodePolicy = PasscodePolicy()
  ) throws -> AuthenticatorSettings {
    try AuthenticatorSettings(encoding: encoding, attestation: attestation, passcodePolicy: policy)
  }

  static func registration(
    username: String = "alice", policy: JSON = accepting()
  ) throws -> UAFRegistrationRequest {
    try UAFRegistrationRequest(
      parsing: JSON.array([
        [
          "header": header("Reg"), "challenge": .string(challenge),
          "username": .string(username), "policy": policy,
        ]
      ]).serialized())
  }

  static func authentication(
    transaction: String? = nil, policy: JSON = accepting()
  ) throws -> UAFAuthenticationRequest {
    let transactions = transaction.map { text -> JSON in
      [
        [
          "contentType": "text/plain",
          "content": .string(Base64.encode(Array(text.utf8), alphabet: .url)),
        ]
      ]
    }
    return try UAFAuthenticationRequest(
      parsing: JSON.array([
        .members([
          "header": header("Auth"), "challenge": .string(challenge), "policy": policy,
          "transaction": transactions,
        ])
      ]).serialized())
  }

  static func deregistration(_ targets: JSON) throws -> UAFDeregistrationRequest {
    try UAFDeregistrationRequest(
      parsing: JSON.array([["header": header("Dereg"), "authenticators": targets]]).serialized())
  }

  static func accepting(_ aaid: String = "FFFF#0001") -> JSON {
    ["accepted": [[["aaid": [.string(aaid)]]]]]
  }

  private static func header(_ operation: String) -> JSON {
    [
      "upv": ["major": 1, "minor": 1], "op": .string(operation), "appID": .string(appID),
      "serverData": "state of the server",
    ]
  }

  /// The only assertion of a response.
  static func assertion(_ message: String) throws -> [UInt8] {
    let response = try #require(try JSON(parsing: message).array?.first)
    let assertions = try #require(response["assertions"]?.array)
    #expect(assertions.count == 1)
    let text = try #require(assertions.first?["assertion"]?.string)
    return try #require(Base64.decode(text.utf8, alphabet: .url))
  }
}

extension SoftwareAuthenticator {
  /// Makes a key of a user, under a passcode.
  @discardableResult
  func enrol(
    _ username: String = "alice", passcode: String = "271828"
  ) async throws -> AuthenticatorResponse {
    try await register(
      try TestAuthenticator.registration(username: username), by: .passcode(passcode))
  }

  @discardableResult
  func register(
    _ request: UAFRegistrationRequest? = nil, by person: AuthenticatorDelegates
  ) async throws -> AuthenticatorResponse {
    try await register(
      try request ?? TestAuthenticator.registration(), facetID: TestAuthenticator.facetID,
      delegates: person)
  }

  @discardableResult
  func authenticate(
    _ request: UAFAuthenticationRequest? = nil, account: String? = nil,
    by person: AuthenticatorDelegates = .passcode("271828")
  ) async throws(SDKError) -> AuthenticatorResponse {
    let usual = try attempt { try TestAuthenticator.authentication() }
    let consent = try await consent(
      to: request ?? usual, facetID: TestAuthenticator.facetID, account: account, delegates: person)
    return try await sign(consent, delegates: person)
  }
}

extension World {
  func authenticator(
    _ settings: AuthenticatorSettings? = nil, cost: ScryptCost = ScryptCost(n: 16, r: 1, p: 1)
  ) throws -> SoftwareAuthenticator {
    SoftwareAuthenticator(
      try session().environment, try settings ?? TestAuthenticator.settings(),
      securityTokens: identities(), cost: cost)
  }
}

/// Enters passcodes of a list, one after the other, and notes what it was told.
final class ScriptedPasscodes: PasscodeEntry {
  private let passcodes: Mutex<[String]>
  private let told = Mutex<[PasscodeStatus]>([])
  private let violations = Mutex<[PasscodePolicy.Violation?]>([])

  init(_ passcodes: String...) { self.passcodes = Mutex(passcodes) }
  init(_ passcodes: [String]) { self.passcodes = Mutex(passcodes) }

  /// The status at each question for the passcode.
  var statuses: [PasscodeStatus] { told.withLock { $0 } }
  /// What was wrong with the passcode before, at each question for a new one.
  var objections: [PasscodePolicy.Violation?] { violations.withLock { $0 } }

  func newPasscode(for enrolment: PasscodeEnrolment) async throws(SDKError) -> [UInt8] {
    violations.withLock { $0.append(enrolment.violation) }
    return try next()
  }

  func passcode(for verification: PasscodeVerification) async throws(SDKError) -> [UInt8] {
    told.withLock { $0.append(verification.status) }
    return try next()
  }

  private func next() throws(SDKError) -> [UInt8] {
    let passcode = passcodes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let passcode else { throw SDKError(.cancelled, "nobody enters a passcode") }
    return Array(passcode.utf8)
  }
}

extension AuthenticatorDelegates {
  static func passcode(_ passcodes: String...) -> AuthenticatorDelegates {
    AuthenticatorDelegates(passcode: ScriptedPasscodes(passcodes))
  }
}
