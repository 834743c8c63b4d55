import HTTPTypes

extension HTTPField.Name {
  static let dpop = known("DPoP")
  static let dpopNonce = known("DPoP-Nonce")
  static let sandboxFault = known("Sandbox-Fault")
  /// Between a fault and the connection only: never sent.
  static let sandboxDate = known("Sandbox-Date")
  static let contentTransferEncoding = known("Content-Transfer-Encoding")
  static let referrerPolicy = known("Referrer-Policy")
  static let contentTypeOptions = known("X-Content-Type-Options")

  /// The names above are tokens, so the fallback is never taken.
  private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .upgrade }
}
