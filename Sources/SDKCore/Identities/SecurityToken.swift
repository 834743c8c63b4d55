package import JOSE
package import OpenSSL
import POSIX
import Primitives

/// A security token whose PIN is needed: a smart card, a USB token, or a hardware security module.
public struct SecurityToken: Sendable, Hashable {
  /// The label of the security token.
  public let label: String
  /// The serial number of the security token.
  public let serial: String
  /// Whether a wrong PIN has been entered since the last right one.
  public let hasWrongPIN: Bool
  /// Whether the next wrong PIN locks the security token.
  public let isLastAttempt: Bool

  init(_ info: SecurityTokenInfo) {
    label = info.label
    serial = info.serial
    hasWrongPIN = info.hasWrongPIN
    isLastAttempt = info.isLastAttempt
  }
}

extension IdentityStore {
  /// Logs in at a security token and loads the key, unless this process has done so before.
  func openSecurityToken(_ text: String, of identity: Identity) async throws(SDKError) {
    let uri = try PKCS11URI(securityToken: text)
    guard try await securityTokenKey(at: uri).key.fits(identity.chain) else {
      throw SDKError(
        .identity, cause: "the key in the security token is not that of the certificate",
        subject: identity.name.description)
    }
  }

  package func securityTokenKey(at uri: PKCS11URI) async throws(SDKError) -> SecurityTokenKey {
    try await SecurityTokenAccess(pin: pin).key(at: uri)
  }
}

extension SecurityToken {
  /// Reads the PIN from a file, unless a wrong one was entered before.
  ///
  /// A program that runs again and again would lock the security token.
  ///
  /// - Throws: ``SDKError/Code/identity`` after a wrong PIN; ``SDKError/Code/storePermissions`` if
  ///   others may read the file.
  public func pin(inFile path: String) async throws(SDKError) -> [UInt8] {
    _ = try untried([])
    return Array(try await SecretFile.line(of: path, "PIN").utf8)
  }

  /// A PIN that no person types, unless a wrong one was entered before.
  ///
  /// - Throws: ``SDKError/Code/identity`` after a wrong PIN.
  public func untried(_ pin: [UInt8]) throws(SDKError) -> [UInt8] {
    guard hasWrongPIN else { return pin }
    throw SDKError(
      .identity,
      cause:
        "a wrong PIN was entered at the security token '\(VisibleText.of(label))' before, so "
        + "that of a file is not tried: type it on the terminal")
  }
}

extension PrivateKey {
  func fits(_ chain: ClientCertificateChain) -> Bool {
    (try? publicKey.spki) == chain.leaf.spki
  }
}

extension PKCS11URI {
  /// The module of the URI or of the environment; else that of p11-kit, which knows all of them.
  var moduleName: String {
    if let module { return module }
    let variable = Environment.current["PKCS11_MODULE_PATH"] ?? ""
    return variable.isEmpty ? "p11-kit-proxy.so" : variable
  }

  package init(securityToken text: String) throws(SDKError) {
    do throws(PKCS11URI.Refusal) {
      self = try PKCS11URI(text)
    } catch {
      throw SDKError(.invalidRequest, cause: "the PKCS #11 URI cannot be used: \(error.reason)")
    }
  }
}

extension IdentityService {
  /// The certificates that a security token has for a key.
  ///
  /// The PIN is asked for if it is needed.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the security token has no certificate for the key, or
  ///   the key cannot be opened.
  public func certificates(
    ofSecurityToken text: String
  ) async throws(SDKError) -> IdentityMaterial {
    try await attempt("could not read the security token") {
      let opened = try await store().securityTokenKey(at: try PKCS11URI(securityToken: text))
      let all = try await onBackgroundThread { () throws(SDKError) in
        try attempt {
          try SecurityTokenKeys.certificates(
            opened.uri, module: opened.uri.moduleName, all: true)
        }
      }
      let spki = try? opened.key.publicKey.spki
      guard all.contains(where: { $0.spki == spki }) else {
        throw SDKError(.identity, cause: "it has no certificate for the key")
      }
      return IdentityMaterial(key: nil, certificates: all)
    }
  }
}

package struct SecurityTokenAccess: Sendable {
  let pin: IdentityStore.PINSource?

  package init(pin: IdentityStore.PINSource?) { self.pin = pin }

  package func signer(
    at text: String, algorithm: JWSAlgorithm? = nil
  ) async throws(SDKError) -> TokenSigner {
    try await attempt("could not use the key") {
      let key = try await key(at: try PKCS11URI(securityToken: text)).key
      do throws(JOSEError) {
        return try TokenSigner(securityToken: key, algorithm: algorithm)
      } catch {
        throw SDKError(.invalidRequest, cause: error.message)
      }
    }
  }

  func key(at uri: PKCS11URI) async throws(SDKError) -> SecurityTokenKey {
    var pin: SecurityTokenPIN?
    for _ in 0..<Self.maximumQuestions {
      let given = pin
      let result = try await onBackgroundThread {
        Result<SecurityTokenKey, SecurityTokenError> { () throws(SecurityTokenError) in
          try SecurityTokenKeys.open(uri, module: uri.moduleName, pin: given)
        }
      }
      do throws(SecurityTokenError) {
        return try result.get()
      } catch {
        // Also if it has refused another PIN meanwhile, so that this one was not tried.
        guard case .needsPIN(let info) = error else { throw SDKError(error) }
        pin = SecurityTokenPIN(try await self.pin(of: uri, SecurityToken(info)), for: info)
      }
    }
    throw SDKError(.identity, cause: "the security token has refused several PINs meanwhile")
  }

  private static let maximumQuestions = 3

  private func pin(of uri: PKCS11URI, _ token: SecurityToken) async throws(SDKError) -> [UInt8] {
    if let file = uri.pinFile { return try await token.pin(inFile: file) }
    guard let pin else {
      throw SDKError(
        .identity,
        cause: "the security token '\(VisibleText.of(token.label))' needs a PIN, and there is none")
    }
    return try await pin(token)
  }
}
