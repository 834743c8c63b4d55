package import JOSE
package import JSON

/// What a client says of itself when it registers (RFC 7591 section 2).
package struct ClientMetadata: Sendable, Hashable {
  package var clientName: String?
  package var redirectURIs: [String]
  package var grantTypes: [String]
  package var scope: String?
  package var authenticationMethod: ClientAuthentication.Method
  /// The key pair of a client that has one, of which the public half is registered.
  package var key: SigningKey?
  /// The key to which the server is to encrypt, of which the public half is registered.
  package var encryptionKey: DecryptionKey?
  /// The members by which that is asked for.
  package var encryptionMembers: JSONObject = [:]
  /// The certificate of a client that proves itself in the TLS handshake.
  package var certificate: CertificateMetadata?
  /// Whether access tokens are to be good only with the certificate (RFC 8705 section 3.4).
  package var bindsTokensToCertificate = false
  /// What the client signs authorization requests with (RFC 9101 section 10.3).
  package var requestAlgorithm: JWSAlgorithm?
  package var softwareID: String?
  package var softwareVersion: String?
  /// What a publisher signed about the software (RFC 7591 section 2.3).
  package var softwareStatement: String?
  /// How to reach the people behind the client, mostly mail addresses.
  package var contacts: [String] = []
  /// Whether the client may ask for a person's password (RFC 6749 section 4.3).
  package var takesPasswords = false
  /// Whether all tokens are to be bound to a key (RFC 9449 section 5.2).
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

  /// Puts the public half of a key into the keys of a client, in place of the former one.
  package static func publish(_ key: DecryptionKey?, in client: inout JSONObject) {
    guard let publicKey = key?.publicKey else { return }
    let others = (client["jwks"]?["keys"]?.array ?? []).filter { $0["use"]?.string != "enc" }
    client["jwks"] = ["keys": .array(others + [publicKey.json])]
  }

  /// How a client proves itself, with the public half of its key, or its certificate.
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
    case .none, .basic, .post: break
    }
    return members
  }

  /// The grants that this client uses.
  package static func grantTypes(confidential: Bool) -> [String] {
    ["authorization_code", "refresh_token"] + (confidential ? ["client_credentials"] : [])
  }

  /// The same client with one list of grants after the other, for a server to take the first
  /// that it can.
  ///
  /// A server that meets a grant that it does not know refuses the client; many announce too
  /// few, and some spell one in their own way. So all come first, and those announced last.
  package func variants(at server: ServerMetadata) -> [ClientMetadata] {
    let announced = server.words("grant_types_supported")
    typealias Grant = TokenEndpoint.Grant
    let wanted =
      [Grant.deviceCode]
      + (authenticationMethod == .none ? [] : [Grant.tokenExchange, Grant.assertion])
    let extras = wanted.filter { announced?.contains($0) ?? false }
    // The profile says that this server takes them, whatever it announces.
    let chosen = grantTypes + (takesPasswords ? ["password"] : [])
    var lists = [chosen + extras]
    // Glewlwyd registers the device grant under the name of its endpoint.
    if extras.contains(Grant.deviceCode) { lists.append(chosen + ["device_authorization"]) }
    lists += [chosen, grantTypes]
    if let announced {
      lists.append(grantTypes.filter { $0 == "authorization_code" || announced.contains($0) })
    }
    var seen: Set<[String]> = []
    return lists.filter { seen.insert($0).inserted }.map { list in
      var client = self
      client.grantTypes = list
      return client
    }
  }
}
