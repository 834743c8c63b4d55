import HTTP
import JOSE
import JSON
import OAuth
import Primitives

extension ProfileSession {
  /// The client as it proves itself at the endpoints of a server.
  ///
  /// - Throws: ``SDKError/Code/clientExpired`` if its secret has expired, with the
  ///   registration that gets a new one.
  func client(
    _ registration: Registration, at server: ServerMetadata, _ action: String
  ) throws(SDKError) -> ClientAuthentication {
    guard !registration.hasExpiredSecret(at: now()) else {
      let end = registration.secretExpires.map { " at \(Timestamp($0))" } ?? ""
      throw SDKError(
        .clientExpired, "\(action): the client secret expired\(end)",
        subject: profile.name.description,
        remedy: .register(.init(registration.isManaged ? .updating : .replacing)))
    }
    var client = registration.authentication.at(server)
    client.encodesBasic = profile.encodesBasic
    client.isGiven = registration.source == .given
    client.memory = CredentialFormFile(store.location, profile.name, issuer: server.issuer.text)
    return client
  }
}

extension Registration {
  /// The certificate with its key, as a request carries it.
  var clientCertificate: ClientCertificate? {
    guard method.usesCertificate, let certificate, let key else { return nil }
    return ClientCertificate(
      chain: Array(certificate.pem.utf8), privateKey: Array(key.pem.utf8))
  }
}
