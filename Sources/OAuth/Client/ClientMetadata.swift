package import JOSE
package import JSON

/// The metadata that a client registers (RFC 7591 section 2).
package struct ClientMetadata: Sendable, Hashable {
  package var clientName: String?
  package var redirectURIs: [String]
  package var grantTypes: [String]
  package var scope: String?
  /// Whether the user chose the scope; if not, it is left out if the server refuses it.
  package var requiresScope = true
  package var authenticationMethod: ClientAuthentication.Method
  /// The key pair of the client, if it has one; the public key is registered.
  package var key: SigningKey?
  /// The key for which the server encrypts; the public key is registered.
  package var encryptionKey: DecryptionKey?
  /// The members that request encryption.
  package var encryptionMembers: JSONObject = [:]
  /// The certificate of a client that authenticates in the TLS handshake.
  package var certificate: CertificateMetadata?
  /// Whether access tokens are bound to the certificate (RFC 8705 section 3.4).
  package var bindsTokensToCertificate = false
  /// What the client signs authorization requests with (RFC 9101 section 10.3).
  package var requestAlgorithm: JWSAlgorithm?
  package var softwareID: String?
  package var softwareVersion: String?
  /// The software statement of a publisher (RFC 7591 section 2.3).
  package var softwareStatement: String?
  /// How to reach the people who are responsible for the client, usually mail addresses.
  package var contacts: [String] = []
  /// Whether the client may ask for a person's password (RFC 6749 section 4.3).
  package var takesPasswords = false
  /// Whether all tokens are bound to a key (RFC 9449 section 5.2).
  package var bindsTokensToKey = false

  package init(
    clientName: String?, redirectURIs: [String], grantTypes: [String], scope: String?,
    authenticationMethod: ClientAuthentication.Method
  ) {
    self.clientName = clientName
    self.redirectURIs = redirectURIs
    self.grantTypes = grantTypes
    self.scope = scope
    self.authenticationMethod = authenticationMethod
  }

  package var json: JSONObject {
    let members: [String: JSON?] = [
      "application_type": "native",
      "client_name": clientName.map { .string($0) },
      "redirect_uris": .strings(redirectURIs),
      "grant_types": .strings(grantTypes),
      "response_types": ["code"],
      "scope": scope.map { .string($0) },
      "contacts": contacts.isEmpty ? nil : .strings(contacts),
      RequestObject.algorithmMember: requestAlgorithm.map { .string($0.rawValue) },
      "software_id": softwareID.map { .string($0) },
      "software_version": softwareVersion.map { .string($0) },
      DPoP.bindsTokens: bindsTokensToKey ? true : nil,
      "software_statement": softwareStatement.map { .string($0) },
      CertificateMetadata.bindsTokens: bindsTokensToCertificate ? true : nil,
    ]
    let own = Self.authentication(authenticationMethod, key: key, certificate: certificate)
    var json = JSONObject(present: members).merging(own, uniquingKeysWith: { $1 })
    json.merge(encryptionMembers, uniquingKeysWith: { $1 })
    Self.publish(encryptionKey, in: &json)
    return json
  }

  /// Puts a public key into the key set of a client, instead of the former one.
  package static func publish(_ key: DecryptionKey?, in client: inout JSONObject) {
    guard let publicKey = key?.publicKey else { return }
    let others = (client["jwks"]?["keys"]?.array ?? []).filter { $0["use"]?.string != "enc" }
    client["jwks"] = ["keys": .array(others + [publicKey.json])]
  }

  /// The authentication method of a client, with its public key or its certificate.
  ///
  /// The algorithm is a member of OpenID Connect Registration 1.0 section 2.
  package static func authentication(
    _ method: ClientAuthentication.Method, key: SigningKey?,
    certificate: CertificateMetadata? = nil
  ) -> JSONObject {
    var members: JSONObject = ["token_endpoint_auth_method": .string(method.rawValue)]
    switch method {
    case .privateKeyJWT:
      members["token_endpoint_auth_signing_alg"] = key.map { .string($0.algorithm.rawValue) }
      members["jwks"] = key.map { ["keys": [$0.publicKey.json]] }
    case .secretJWT: members["token_endpoint_auth_signing_alg"] = "HS256"
    case .tlsClientAuth, .selfSignedTLSClientAuth:
      let own = certificate?.members(for: method, key: key) ?? [:]
      members.merge(own, uniquingKeysWith: { $1 })
    case .none, .basic, .post, .foreignAssertion: break
    }
    return members
  }
}
