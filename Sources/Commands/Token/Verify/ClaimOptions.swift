import JOSE
import POSIX
import Primitives
import SDKCore

/// What `token verify` requires of the claims.
struct ClaimOptions: Sendable, Hashable {
  /// What is given by value.
  var required = TokenExpectations(now: 0)
  var accessTokenFile: String?
  var confirmationFile: String?
  var leeway: Duration = .seconds(60)
  var time: Timestamp?
  var allowsNoExpiration = false

  /// The requirements; the issuer of the keys is one, unless another is given.
  func expectations(
    _ keys: PublishedKeys?, _ context: Context
  ) throws -> TokenExpectations {
    var expectations = required
    expectations.now = time ?? context.now()
    let known = keys?.expectations(now: expectations.now, issuer: required.issuer)
    expectations.issuer = known?.issuer ?? required.issuer
    expectations.tenantIssuer = known?.tenantIssuer
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
