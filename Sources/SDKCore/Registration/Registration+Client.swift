import HTTP
import JOSE
import JSON
import OAuth

extension Registration {
  /// The client as it proves itself at the endpoints of a server.
  ///
  /// - Throws: ``SDKError/Code/clientExpired`` when its secret has expired, with the
  ///   command that gets a new one.
  func client(
    at server: ServerMetadata, of profile: Profile, now: Int64, _ action: String
  ) throws(SDKError) -> ClientAuthentication {
    guard !hasExpiredSecret(at: now) else {
      let end = secretExpires.map { " at \(Timestamp($0))" } ?? ""
      throw SDKError(
        .clientExpired, "\(action): the client secret expired\(end)",
        subject: profile.name.description,
        remedy: "sdkctl -p \(profile.name) register \(isManaged ? "--update" : "--force")")
    }
    var client = authentication.at(server)
    client.encodesBasic = profile.encodesBasic
    return client
  }

  /// The certificate with its key, as a request carries it.
  var clientCertificate: ClientCertificate? {
    guard method.usesCertificate, let certificate, let key else { return nil }
    return ClientCertificate(
      chain: Array(certificate.pem.utf8), privateKey: Array(key.pem.utf8))
  }
}
