import JOSE
public import JSON
import OAuth

extension Registration {
  /// This registration, changed by a response of the server.
  ///
  /// - Parameters:
  ///   - response: the client information response.
  ///   - sent: the members that were sent, which hold if the response does not have them (RFC 7591 section 3.2.1).
  ///   - new: the key pair, and perhaps the certificate, that were registered with it.
  ///   - newEncryptionKey: likewise the key that decrypts encrypted responses.
  /// - Returns: the registration as it is from now on.
  func updated(
    by response: JSONObject, over sent: JSONObject, new: ClientCredential? = nil,
    newEncryptionKey: DecryptionKey? = nil
  ) -> Registration {
    var sent = sent
    // A new secret is valid for as long as the response says, not as long as the old one.
    if response["client_secret"] != nil { sent["client_secret_expires_at"] = nil }
    var updated = self
    updated.client = sent.merging(response, uniquingKeysWith: { $1 })
    updated.key = new?.key ?? key
    updated.certificate = new?.certificate ?? certificate
    updated.encryptionKey = newEncryptionKey ?? encryptionKey
    updated.dropUnusedCredentials(given: response)
    return updated
  }

  /// A credential of a method that was given up is not kept, unless the server has just sent it.
  private mutating func dropUnusedCredentials(given response: JSONObject) {
    if !method.usesSecret, response["client_secret"] == nil {
      client["client_secret"] = nil
      client["client_secret_expires_at"] = nil
    }
    if method != .privateKeyJWT, !method.usesCertificate { key = nil }
    if !method.usesCertificate { certificate = nil }
  }

  /// What anyone may see of the client information: not the credentials.
  public var publicMetadata: JSONObject {
    client.filter { name, _ in !Self.secretEndings.contains { name.hasSuffix($0) } }
  }

  /// How the names of credentials end, those of extensions included.
  private static let secretEndings = ["secret", "token", "password", "private_key"]
}
