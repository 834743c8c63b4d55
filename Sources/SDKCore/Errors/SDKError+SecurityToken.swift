import OpenSSL
import Primitives

extension SDKError {
  /// Why a key in a security token cannot be used; ``during(_:)`` says what for.
  init(cause error: SecurityTokenError) {
    let cause: String
    var code = Code.identity
    switch error {
    case .noModule(let module):
      code = .unavailable
      cause =
        "the PKCS #11 module '\(module)' cannot be opened; Debian has p11-kit-modules, which finds "
        + "the others, opensc-pkcs11 and softhsm2"
    case .noEngine:
      code = .unavailable
      cause =
        "OpenSSL has no provider or engine for PKCS #11; Debian has pkcs11-provider and "
        + "libengine-pkcs11-openssl"
    case .absent: cause = "no security token is like that of the PKCS #11 URI"
    case .severalTokens:
      cause =
        "there are several security tokens: the PKCS #11 URI must name one, with token= or serial="
    case .needsPIN(let info):
      cause = "the security token '\(info.name)' needs a PIN, and there is none"
    case .wrongPIN(let info): cause = "the PIN of the security token '\(info.name)' is wrong"
    case .locked(let info): cause = "the security token '\(info.name)' is locked after wrong PINs"
    case .cancelled: (code, cause) = (.denied, "the login at the security token was cancelled")
    case .noObject(let info):
      cause = "the security token '\(info.name)' has no private key like that of the PKCS #11 URI"
    case .severalObjects(let info):
      cause =
        "the security token '\(info.name)' has several private keys: the PKCS #11 URI must name "
        + "one, with object= or id="
    case .failed(let reason):
      cause =
        reason.isEmpty ? "the security token failed" : "the security token failed: \(reason)"
    }
    self.init(code, cause: cause)
  }
}

extension SecurityTokenInfo {
  /// The label, or the serial number of a security token without one.
  fileprivate var name: String { VisibleText.of(label.isEmpty ? serial : label) }
}
