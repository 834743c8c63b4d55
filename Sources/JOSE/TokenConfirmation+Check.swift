internal import JSON
internal import OpenSSL
internal import Primitives

extension TokenConfirmation {
  /// Checks the claim `cnf`.
  func check(_ claim: JSON?) throws(JOSEError) {
    // A token names a key by its thumbprint, or has it (RFC 7800 section 3.2).
    let thumbprint =
      claim?["jkt"]?.string ?? claim?["jwk"].flatMap { try? JWK(json: $0).thumbprint }
    let rows = [
      ("x5t#S256", claim?["x5t#S256"]?.string, certificate, "another certificate"),
      ("jkt", thumbprint, key, "another key"),
    ]
    for (name, found, wanted, other) in rows {
      guard let wanted else { continue }
      guard let found else {
        throw JOSEError(.confirmationMismatch, "the token has no 'cnf' with '\(name)'")
      }
      guard ConstantTime.equal(found, wanted) else {
        throw JOSEError(.confirmationMismatch, "the token is bound to \(other) (\(name))")
      }
    }
  }
}
