import JOSE
import POSIX
import Primitives
import SDKCore

/// What `token verify` requires of the claims.
struct ClaimOptions: Sendable, Hashable {
  var requiredIssuer: String?
  var audiences: [String] = []
  var subject: String?
  var authorizedParty: String?
  var type: String?
  var nonce: String?
  /// The verifier and the nonce that the key binding of an SD-JWT must have.
  var bindingAudience: String?
  var bindingNonce: String?
  var accessTokenFile: String?
  var confirmationFile: String?
  var leeway: Duration = .seconds(60)
  var time: Timestamp?
  var allowsNoExpiration = false

  /// The requirements; the issuer of the keys is one, unless another is given.
  func expectations(
    _ keys: PublishedKeys?, _ context: Context
  ) throws -> TokenExpectations {
    let now = time ?? context.now()
    var expectations =
      keys?.expectations(now: now, issuer: requiredIssuer) ?? TokenExpectations(now: now)
    expectations.issuer = requiredIssuer ?? expectations.issuer
    expectations.audiences = audiences
    expectations.subject = subject
    expectations.authorizedParty = authorizedParty
    expectations.type = type
    expectations.nonce = nonce
    expectations.keyBinding.audience = bindingAudience
    expectations.keyBinding.nonce = bindingNonce
    expectations.leeway = leeway.components.seconds
    expectations.requiresExpiration = !allowsNoExpiration
    if let accessTokenFile {
      expectations.accessToken = try context.secret(
        "access token", option: "access-token", file: accessTokenFile)
    }
    if let confirmationFile {
      expectations.confirmation = try Self.confirmation(confirmationFile, context)
    }
    return expectations
  }

  /// A certificate confirms by its hash (RFC 8705), a key by its thumbprint (RFC 9449).
  ///
  /// What is not a file may be the name of an identity.
  private static func confirmation(
    _ path: String, _ context: Context
  ) throws -> TokenConfirmation {
    if path != "-", !FileStatus.exists(path), let name = try? IdentityName(path),
      let identity = try? context.session().identities.store().identity(named: name)
    {
      return TokenConfirmation(certificate: identity.chain.details.first?.thumbprint)
    }
    guard let entry = try context.keyFile(path).entries.first else {
      throw Failure.usage("there is no key in '\(Visible.line(path))'")
    }
    guard let hash = entry.certificateHash else {
      return TokenConfirmation(key: entry.jwk.thumbprint)
    }
    return TokenConfirmation(certificate: hash)
  }
}
