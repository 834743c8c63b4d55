import JSON
import OpenSSL
import POSIX
public import Primitives
public import SDKCore
public import UAF

/// A key that an authenticator has registered at a server.
public struct AuthenticatorKey: Sendable, Hashable {
  /// The model of the authenticator.
  public let aaid: AAID
  /// The identifier of the key at the server, in base64url.
  public let keyID: String
  /// The application that the key belongs to: a URL, or the facet of this client.
  public let appID: String
  /// The user at the server.
  public let username: String
  /// When the key was made.
  public let createdAt: Timestamp
  /// How the key's signatures are written.
  public let encoding: AssertionEncoding
  /// How many signatures it has made, the one that proved it at its registration included.
  public internal(set) var signCounter: UInt32
  /// The private key, or where it is.
  let key: IdentityKey

  /// Where the private key is: `file`, `sealed file` or `security token`.
  public var place: String { key.description }
}

extension AuthenticatorKey {
  /// The key as a member of the authenticator's file.
  static func type(of aaid: AAID) -> StoredType<AuthenticatorKey> {
    let keyID = StoredType<String>.form("base64url") {
      $0.isEmpty || Base64.decode($0.utf8, alphabet: .url) == nil ? nil : $0
    }
    return .object { (fields, value) throws(SDKError) in
      AuthenticatorKey(
        aaid: aaid, keyID: try fields.required("keyID", value?.keyID, keyID),
        appID: try fields.required("appID", value?.appID, .text),
        username: try fields.required("username", value?.username, .text),
        createdAt: try fields.required("createdAt", value?.createdAt, .date),
        encoding: try fields.required("encoding", value?.encoding, .word),
        signCounter: try fields.required("signCounter", value?.signCounter, .number),
        key: try fields.required("key", value?.key, .key))
    }
  }

  /// The private key, for a verified user.
  ///
  /// A key that is not encrypted serves only if nobody has to be verified.
  func signer(for user: VerifiedUser, _ token: PrivateKey?) throws(SDKError) -> PrivateKey {
    switch (key, user, token) {
    case (.securityToken, _, let token?): return token
    case (.sealed(let sealed), .byPasscode(let secret), _):
      guard let pem = try sealed.pem(openedWith: secret) else { throw damaged }
      return try privateKey(pem)
    case (.pem(let pem), .unverified, _): return try privateKey(pem)
    default:
      throw SDKError(
        UAFError(
          .authenticatorAccessDenied,
          "the key was registered with another verification of the user than the profile has now"))
    }
  }

  private func privateKey(_ pem: String) throws(SDKError) -> PrivateKey {
    guard let found = try? PrivateKey(pem: Array(pem.utf8)), found.kind == .ec(.p256) else {
      throw damaged
    }
    return found
  }

  private var damaged: SDKError {
    SDKError(.store, cause: "the key '\(keyID)' of the authenticator is damaged")
  }
}

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
  var document: StoreDocument

  /// Reads the file of an authenticator; one without keys if there is none.
  ///
  /// - Throws: ``SDKError/Code/store`` or ``SDKError/Code/invalidConfiguration`` if it is damaged: it
  ///   stays as it is, because a new one would begin its counters anew.
  init(reading path: StorePath, of aaid: AAID) throws(SDKError) {
    self.aaid = aaid
    document = try StoreDocument.existing(path, .secret)
    if !document.members.isEmpty { try exchange(document.content) }
  }

  mutating func exchange(_ fields: StoredFields) throws(SDKError) {
    let aaid = aaid
    _ = try fields.required("aaid", aaid, .form("'\(aaid)'") { AAID($0) == aaid ? aaid : nil })
    registrationCounter = try fields.required("registrationCounter", registrationCounter, .number)
    attestation = try fields.optional("attestation", attestation, .object)
    passcode = try fields.optional("passcode", passcode, .object)
    keys = try fields.required("keys", keys, .list(of: AuthenticatorKey.type(of: aaid)))
  }
}

extension AuthenticatorDocument.Attestation: StoredValue {
  init(_ fields: StoredFields, _ value: Self?) throws(SDKError) {
    key = try fields.required("key", value?.key, .text)
    certificate = try fields.required("certificate", value?.certificate, .text)
  }
}

/// What the file of an authenticator holds, for a list of all credentials of a machine.
public struct StoredAuthenticator: Sendable, Hashable {
  /// The file.
  public let file: String
  /// Its keys.
  public let keys: [AuthenticatorKey]
  /// Whether a passcode can be entered; `nil` if the file cannot be used.
  public let passcode: PasscodeStatus?
  /// Why the file cannot be used.
  public let error: SDKError?
}

extension FIDOLogin {
  /// The authenticators of the profile that have a file.
  func inventory() -> [StoredAuthenticator] {
    let directory = environment.location.state(of: profile.name) + "/authenticators"
    let names = ((try? Directory.entries(directory)) ?? []).filter { $0.hasSuffix(".json") }
    return names.sorted().map { name in
      let file = "\(directory)/\(name)"
      do throws(SDKError) {
        let model = name.dropLast(5).map { $0 == "-" ? "#" : $0.uppercased() }.joined()
        guard let aaid = AAID(model) else {
          throw SDKError(.store, "could not read '\(file)': its name is not that of a model")
        }
        let authenticator = try authenticator(aaid, verifiesUser: true)
        return StoredAuthenticator(
          file: file, keys: try authenticator.keys(), passcode: try authenticator.passcodeStatus(),
          error: nil
        )
      } catch {
        return StoredAuthenticator(file: file, keys: [], passcode: nil, error: error)
      }
    }
  }
}

extension IdentityStore {
  /// A key in a security token that an authenticator can sign with; its PIN is asked for if
  /// it is needed.
  func authenticatorKey(inSecurityToken uri: String) async throws(SDKError) -> PrivateKey {
    let key = try await securityTokenKey(at: try PKCS11URI(securityToken: uri)).key
    guard key.kind == .ec(.p256) else {
      throw SDKError(.identity, cause: "the key in the security token is not of the curve P-256")
    }
    return key
  }
}
