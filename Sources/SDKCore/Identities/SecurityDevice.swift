import OpenSSL
import POSIX
import Primitives

/// A security device whose PIN is needed: a smart card, a USB token, or a hardware security module.
public struct SecurityDevice: Sendable, Hashable {
  /// The label of the token.
  public let label: String
  /// The serial number of the token.
  public let serial: String
  /// Whether a wrong PIN has been entered since the last right one.
  public let hasWrongPIN: Bool
  /// Whether the next wrong PIN locks the token.
  public let isLastAttempt: Bool

  init(_ info: TokenInfo) {
    label = info.label
    serial = info.serial
    hasWrongPIN = info.hasWrongPIN
    isLastAttempt = info.isLastAttempt
  }
}

extension IdentityStore {
  /// Logs in at a device and loads the key, unless this process has done so before.
  ///
  /// - Throws: ``SDKError/Code/identity`` if the device is absent or locked, the key is not on it, or
  ///   the PIN is wrong or not given; ``SDKError/Code/unavailable`` if OpenSSL has nothing for it.
  func openDevice(_ text: String, of identity: Identity) async throws(SDKError) {
    let uri = try PKCS11URI(device: text)
    guard try await openedDevice(uri).key.fits(identity.chain) else {
      throw SDKError(
        .identity, cause: "the key in the security device is not that of the certificate",
        subject: identity.name.description)
    }
  }

  /// The key of a device, for which the PIN is asked for if it is needed.
  func openedDevice(_ uri: PKCS11URI) async throws(SDKError) -> TokenKey {
    var pin: TokenPIN?
    for _ in 0..<Self.maximumQuestions {
      let given = pin
      let result = try await onBackgroundThread {
        Result<TokenKey, TokenError> { () throws(TokenError) in
          try TokenKeys.open(uri, module: uri.moduleName, pin: given)
        }
      }
      do throws(TokenError) {
        return try result.get()
      } catch {
        // Also if the token has refused another PIN meanwhile, so that this one was not tried.
        guard case .needsPIN(let info) = error else { throw SDKError(error) }
        pin = TokenPIN(try await self.pin(of: uri, SecurityDevice(info)), for: info)
      }
    }
    throw SDKError(.identity, cause: "the token has refused several PINs meanwhile")
  }

  private static let maximumQuestions = 3

  private func pin(of uri: PKCS11URI, _ device: SecurityDevice) async throws(SDKError) -> [UInt8] {
    if let file = uri.pinFile { return try await device.pin(inFile: file) }
    guard let pin else {
      throw SDKError(
        .identity,
        cause: "the token '\(VisibleText.of(device.label))' needs a PIN, and there is none")
    }
    return try await pin(device)
  }
}

extension SecurityDevice {
  /// Reads the PIN from a file, unless a wrong one was entered before.
  ///
  /// A program that runs again and again would lock the token.
  ///
  /// - Throws: ``SDKError/Code/identity`` after a wrong PIN; ``SDKError/Code/storePermissions`` if
  ///   others may read the file.
  public func pin(inFile path: String) async throws(SDKError) -> [UInt8] {
    guard !hasWrongPIN else {
      throw SDKError(
        .identity,
        cause: "a wrong PIN was entered at the token '\(VisibleText.of(label))' before, so that of "
          + "a file is not tried: type it on the terminal")
    }
    return Array(try await SecretFile.line(of: path, "PIN").utf8)
  }
}

extension PrivateKey {
  /// Whether it is the key of the certificate.
  func fits(_ chain: ClientCertificateChain) -> Bool {
    (try? publicKey.spki) == chain.leaf.spki
  }
}

extension PKCS11URI {
  /// The module of the URI or of the environment; else that of p11-kit, which knows all of the
  /// system.
  var moduleName: String {
    if let module { return module }
    let variable = Environment.current["PKCS11_MODULE_PATH"] ?? ""
    return variable.isEmpty ? "p11-kit-proxy.so" : variable
  }

  /// Reads the URI of a key.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for a URI that cannot be used, or that has a PIN.
  init(device text: String) throws(SDKError) {
    do throws(PKCS11URI.Refusal) {
      self = try PKCS11URI(text)
    } catch {
      throw SDKError(.invalidRequest, cause: "the PKCS #11 URI cannot be used: \(error.reason)")
    }
  }
}
