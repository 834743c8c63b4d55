package import OpenSSL
internal import Primitives

/// Why a token, a key or a claim was refused.
public struct JOSEError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of refusal it is; more may be added.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, promised to programs.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// Not the format it should be.
    public static let malformed = Code("malformed")
    /// The content of a signed token is a token itself (RFC 7519 section 5.2).
    public static let nested = Code("nested")
    /// More bytes than are accepted from an untrusted source.
    public static let tooLarge = Code("tooLarge")
    /// The header asks for an extension that is not known (RFC 7515 section 4.1.11).
    public static let criticalUnknown = Code("criticalUnknown")
    /// A valid form, method of encryption or compression that is not supported.
    public static let unsupported = Code("unsupported")
    /// Signed with an unknown algorithm, with none, or with one that is not allowed here.
    public static let algorithmNotAllowed = Code("algorithmNotAllowed")
    /// The key is for another use, or too weak.
    public static let keyUnsuitable = Code("keyUnsuitable")
    /// No key of the set has the key ID and fits the algorithm.
    public static let noMatchingKey = Code("noMatchingKey")
    /// The signature is not valid.
    public static let signatureInvalid = Code("signatureInvalid")
    /// The token was encrypted to another key, or was changed.
    public static let decryptionFailed = Code("decryptionFailed")
    /// The token has expired.
    public static let expired = Code("expired")
    /// The token has no expiration time.
    public static let expirationMissing = Code("expirationMissing")
    /// The token is not valid yet.
    public static let notYetValid = Code("notYetValid")
    /// The token claims to be issued in the future.
    public static let issuedInFuture = Code("issuedInFuture")
    /// The token has no issue time.
    public static let issuedAtMissing = Code("issuedAtMissing")
    /// The token has another issuer.
    public static let issuerMismatch = Code("issuerMismatch")
    /// The token has another audience.
    public static let audienceMismatch = Code("audienceMismatch")
    /// The token is about another subject.
    public static let subjectMismatch = Code("subjectMismatch")
    /// The token is not bound to this key or certificate (`cnf`).
    public static let confirmationMismatch = Code("confirmationMismatch")
    /// The token does not have a scope that is required.
    public static let scopeMissing = Code("scopeMissing")
    /// The token was issued to another client (`azp`).
    public static let authorizedPartyMismatch = Code("authorizedPartyMismatch")
    /// The token has another type (`typ`).
    public static let typeMismatch = Code("typeMismatch")
    /// The nonce is not the one that was sent.
    public static let nonceMismatch = Code("nonceMismatch")
    /// The user authenticated too long ago, or in another way than requested.
    public static let authenticationMismatch = Code("authenticationMismatch")
    /// A disclosure does not belong to exactly one digest, or repeats a claim.
    public static let disclosureInvalid = Code("disclosureInvalid")
    /// The holder did not prove the key that the token is bound to.
    public static let keyBindingInvalid = Code("keyBindingInvalid")
    /// A hash in the token does not match its value.
    public static let hashMismatch = Code("hashMismatch")
    /// The cryptographic library failed.
    public static let cryptoFailure = Code("cryptoFailure")
  }

  /// The kind of refusal.
  public let code: Code
  /// What is wrong: lower case, no period, no secrets, safe to show.
  public let message: String

  /// Makes an error: for checks that a program makes besides those of this module.
  ///
  /// - Parameters:
  ///   - code: the kind of refusal.
  ///   - message: what is wrong: lower case, no period, no secrets, safe to show.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package init(_ error: CryptoError) { self.init(.cryptoFailure, error.description) }

  /// The message.
  public var description: String { message }
}

extension JOSEError.Code {
  /// Whether a token of that kind may be well-formed, but asks for what is not supported.
  public var isUnsupported: Bool { self == .unsupported || self == .criticalUnknown }
}

/// Remote text for a message: quoted, safe to show, at most 80 scalars.
func quoted(_ text: String) -> String { VisibleText.quoted(text) }

/// Runs a call of libcrypto; its error becomes one of this module.
func joseError<Value>(_ body: () throws(CryptoError) -> Value) throws(JOSEError) -> Value {
  do {
    return try body()
  } catch {
    throw JOSEError(error)
  }
}
