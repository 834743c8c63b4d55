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
    /// More bytes than are read from a stranger.
    public static let tooLarge = Code("tooLarge")
    /// The header asks for an extension that is not known (RFC 7515 section 4.1.11).
    public static let criticalUnknown = Code("criticalUnknown")
    /// Signed with an unknown algorithm, with none, or with one that is not allowed here.
    public static let algorithmNotAllowed = Code("algorithmNotAllowed")
    /// The key is for something else, or too weak.
    public static let keyUnsuitable = Code("keyUnsuitable")
    /// No key of the set has the key ID and fits the algorithm.
    public static let noMatchingKey = Code("noMatchingKey")
    /// The signature is not that of the key over the token.
    public static let signatureInvalid = Code("signatureInvalid")
    /// The token was not encrypted to that key, or was changed.
    public static let decryptionFailed = Code("decryptionFailed")
    /// The token's time is over.
    public static let expired = Code("expired")
    /// The token says nothing about when it ends.
    public static let expirationMissing = Code("expirationMissing")
    /// The token's time has not come.
    public static let notYetValid = Code("notYetValid")
    /// The token claims to be issued in the future.
    public static let issuedInFuture = Code("issuedInFuture")
    /// The token does not say when it was issued.
    public static let issuedAtMissing = Code("issuedAtMissing")
    /// Issued by somebody else.
    public static let issuerMismatch = Code("issuerMismatch")
    /// Made for somebody else.
    public static let audienceMismatch = Code("audienceMismatch")
    /// Issued to somebody else (`azp`).
    public static let authorizedPartyMismatch = Code("authorizedPartyMismatch")
    /// A token of another type (`typ`).
    public static let typeMismatch = Code("typeMismatch")
    /// The nonce is not the one that was sent.
    public static let nonceMismatch = Code("nonceMismatch")
    /// The user authenticated too long ago, or in another way than was asked for.
    public static let authenticationMismatch = Code("authenticationMismatch")
    /// A hash in the token is of another value.
    public static let hashMismatch = Code("hashMismatch")
    /// The cryptographic library failed.
    public static let cryptoFailure = Code("cryptoFailure")
  }

  /// The kind of refusal.
  public let code: Code
  /// What is wrong: lower case, no period, no secrets, safe to show.
  public let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// What libcrypto could not do.
  package init(_ error: CryptoError) { self.init(.cryptoFailure, error.description) }

  /// The message.
  public var description: String { message }
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
