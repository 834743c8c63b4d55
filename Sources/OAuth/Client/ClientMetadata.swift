package import JSON

/// What a client says of itself when it registers (RFC 7591 section 2).
package struct ClientMetadata: Sendable, Hashable {
  package var clientName: String?
  package var redirectURIs: [String]
  package var grantTypes: [String]
  package var scope: String?
  package var authenticationMethod: ClientAuthentication.Method
  package var softwareID: String?
  package var softwareVersion: String?

  package init(
    clientName: String?, redirectURIs: [String], grantTypes: [String], scope: String?,
    authenticationMethod: ClientAuthentication.Method, softwareID: String? = nil,
    softwareVersion: String? = nil
  ) {
    self.clientName = clientName
    self.redirectURIs = redirectURIs
    self.grantTypes = grantTypes
    self.scope = scope
    self.authenticationMethod = authenticationMethod
    self.softwareID = softwareID
    self.softwareVersion = softwareVersion
  }

  package var json: [String: JSON] {
    let members: [String: JSON?] = [
      "application_type": "native",
      "client_name": clientName.map { .string($0) },
      "redirect_uris": .strings(redirectURIs),
      "grant_types": .strings(grantTypes),
      "response_types": ["code"],
      "scope": scope.map { .string($0) },
      "token_endpoint_auth_method": .string(authenticationMethod.rawValue),
      "software_id": softwareID.map { .string($0) },
      "software_version": softwareVersion.map { .string($0) },
    ]
    return members.compactMapValues { $0 }
  }

  /// The grants that both sides know, of those that this client uses.
  ///
  /// Asking for a grant that a server does not know makes it refuse the client.
  package static func grantTypes(
    offeredBy metadata: ServerMetadata, confidential: Bool
  ) -> [String] {
    let wanted =
      ["authorization_code", "refresh_token"] + (confidential ? ["client_credentials"] : [])
    guard let offered = metadata.words("grant_types_supported") else { return wanted }
    return wanted.filter { $0 == "authorization_code" || offered.contains($0) }
  }
}
