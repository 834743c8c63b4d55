/// Whether an attestation shows that a key was made by an authenticator of the model it names.
struct AttestationCheck: Sendable {
  let authenticator: FIDOAuthenticator
  /// Whether only certificates count that lead to one that was loaded.
  let needsRoot: Bool
  let now: Int

  /// Checks the attestation.
  ///
  /// - Returns: the thumbprint of a certificate that is made for one authenticator alone.
  func check(_ assertion: RegistrationAssertion, key: UAFKey) throws(UAFRefusal) -> String? {
    let algorithm = assertion.info.signatureAlgorithm
    switch assertion.attestation {
    case .surrogate(let signature):
      try require(FIDOAuthenticator.surrogate)
      guard key.verifies(signature, of: assertion.signed, algorithm: algorithm) else {
        throw UAFRefusal(1496, "the key did not sign its own registration")
      }
      return nil
    case .basicFull(let signature, let certificates):
      try require(FIDOAuthenticator.basicFull)
      let chain = try chain(certificates)
      guard let key = UAFKey(chain[0].certificate.publicKey),
        key.verifies(signature, of: assertion.signed, algorithm: algorithm)
      else { throw UAFRefusal(1496, "the attestation key did not sign the registration") }
      try checkOrigin(chain)
      return authenticator.roots.isEmpty ? chain[0].thumbprint : nil
    }
  }

  private func require(_ type: Int) throws(UAFRefusal) {
    guard authenticator.attestationTypes.contains(type) else {
      throw UAFRefusal(1496, "authenticators of this model have another attestation")
    }
  }

  private func chain(_ certificates: [[UInt8]]) throws(UAFRefusal) -> [ShownCertificate] {
    var chain: [ShownCertificate] = []
    for der in certificates {
      guard let certificate = try? Certificate(der: der) else {
        throw UAFRefusal(1496, "an attestation certificate cannot be read")
      }
      let shown = ShownCertificate(certificate)
      guard shown.isValid(at: now) else {
        throw UAFRefusal(1496, "an attestation certificate is not valid now")
      }
      if let last = chain.last {
        guard last.certificate.isSigned(by: certificate) else {
          throw UAFRefusal(1496, "the attestation certificates are not a chain")
        }
      }
      chain.append(shown)
    }
    return chain
  }

  private func checkOrigin(_ chain: [ShownCertificate]) throws(UAFRefusal) {
    let roots = authenticator.roots
    if roots.isEmpty, !needsRoot { return }
    guard chain[0].leads(to: roots, over: chain.dropFirst().map(\.certificate)) else {
      throw UAFRefusal(1496, "the attestation certificate does not lead to one that was loaded")
    }
  }
}
