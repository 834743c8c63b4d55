import JSON
import SDKCore
import UAF

/// The file of an authenticator, mode 0600: `authenticators/VVVV-MMMM.json` of the profile's state.
///
/// Its members:
/// * `aaid`: the model;
/// * `registrationCounter`: how many keys it has made;
/// * `attestation`: its `key` (PEM) and `certificate` (PEM), made on first use;
/// * `passcode`: the secret under which keys are encrypted, `sealed` under the passcode; the `failures` since
///   the last right one, and `failedAt`, the time of the last one in seconds;
/// * `keys`: each with `keyID`, `appID`, `username`, `createdAt`, `encoding`, `signCounter` and `key`
///   (`sealed`, `pem` or `uri`).
///
/// All of it is in one file, so that a key is never without its counters.
struct AuthenticatorDocument: PasscodeDocument {
  /// The attestation key with its certificate.
  struct Attestation: Sendable, Hashable {
    /// As PEM: it signs before there is a passcode, and identifies no user.
    let key: String
    let certificate: String
  }

  let aaid: AAID
  var registrationCounter: UInt32 = 0
  var attestation: Attestation?
  var passcode: EnrolledPasscode?
  var keys: [AuthenticatorKey] = []
  private var document: StoreDocument

  /// Reads the file of an authenticator; one without keys if there is none.
  ///
  /// - Throws: ``SDKError/Code/store`` or ``SDKError/Code/invalidConfiguration`` if it is damaged: it
  ///   stays as it is, because a new one would begin its counters anew.
  init(reading path: StorePath, of aaid: AAID) throws(SDKError) {
    self.aaid = aaid
    document =
      try StoreDocument.read(path, .secret) ?? StoreDocument(path: path, secrecy: .secret)
    guard !document.members.isEmpty else { return }
    let content = document.content
    _ = try content.required("aaid") { $0.string.flatMap { AAID($0) } == aaid ? aaid : nil }
    registrationCounter = try content.required("registrationCounter") {
      $0.int.flatMap(UInt32.init(exactly:))
    }
    attestation = try content.optional("attestation", Attestation.init(stored:))
    passcode = try content.optional("passcode", EnrolledPasscode.init(stored:))
    keys = try content.required("keys") { $0.list { AuthenticatorKey(stored: $0, of: aaid) } }
  }

  /// Writes the file, atomically and durably; members that this version does not know stay.
  mutating func write() throws(SDKError) {
    document.members["aaid"] = .string(aaid.description)
    document.members["registrationCounter"] = .int(Int64(registrationCounter))
    document.members["attestation"] = attestation?.stored
    document.members["passcode"] = passcode?.stored
    document.members["keys"] = .array(keys.map(\.stored))
    try document.write()
  }
}

extension AuthenticatorDocument.Attestation {
  init?(stored value: JSON) {
    guard let key = value["key"]?.string, let certificate = value["certificate"]?.string else {
      return nil
    }
    self.init(key: key, certificate: certificate)
  }

  var stored: JSON { ["key": .string(key), "certificate": .string(certificate)] }
}
