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

  /// The grants that this client uses.
  package static func grantTypes(confidential: Bool) -> [String] {
    ["authorization_code", "refresh_token"] + (confidential ? ["client_credentials"] : [])
  }

  /// The same metadata with the grants that the server announces, and the code grant.
  package func narrowed(to metadata: ServerMetadata) -> ClientMetadata {
    guard let offered = metadata.words("grant_types_supported") else { return self }
    var narrowed = self
    narrowed.grantTypes = grantTypes.filter { $0 == "authorization_code" || offered.contains($0) }
    return narrowed
  }
}
