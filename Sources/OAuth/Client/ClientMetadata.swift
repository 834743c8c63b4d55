package import JOSE
package import JSON
import Primitives

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

  private typealias Grant = TokenEndpoint.Grant

  package static func grantTypes(confidential: Bool) -> [String] {
    login + (confidential ? ["client_credentials"] : [])
  }

  /// The grants of a login in a browser and of refreshing its tokens.
  private static let login = ["authorization_code", "refresh_token"]

  /// Variants of the client with different lists of grants; the server gets the first
  /// that it accepts.
  ///
  /// A server refuses a client with a grant that it does not know; many announce too
  /// few, and some use another name for one. So the first variant has all grants, the next those
  /// that are announced, the last only those of a login.
  func variants(at server: ServerMetadata) -> [ClientMetadata] {
    let announced = server.words("grant_types_supported")
    let wanted =
      [Grant.deviceCode]
      + (authenticationMethod == .none ? [] : [Grant.tokenExchange, Grant.assertion])
    let extras = wanted.filter { announced?.contains($0) ?? false }
    // The profile says that this server takes them, whatever it announces.
    let chosen = grantTypes + (takesPasswords ? ["password"] : [])
    var lists = [chosen + extras]
    // Glewlwyd registers the device grant under the name of its endpoint.
    if extras.contains(Grant.deviceCode) { lists.append(chosen + [Self.deviceAuthorization]) }
    lists += [chosen, grantTypes]
    for list in [grantTypes, Self.login] {
      if let announced {
        lists.append(list.filter { $0 == "authorization_code" || announced.contains($0) })
      }
      lists.append(Self.login)
    }
    var seen: Set<[String]> = []
    let variants = lists.filter { seen.insert($0).inserted }.map { list in
      var client = self
      client.grantTypes = list
      return client
    }
    guard scope != nil, !requiresScope else { return variants }
    // Some servers do not let clients choose their scope.
    return variants
      + variants.map { variant in
        var client = variant
        client.scope = nil
        return client
      }
  }

  /// The grants of this client that are not among those that a server registered.
  func grants(missingIn registered: [String]) -> [String] {
    grantTypes.filter { grant in
      !registered.contains(grant)
        && !(grant == Grant.deviceCode && registered.contains(Self.deviceAuthorization))
    }
  }

  private static let deviceAuthorization = "device_authorization"
}

/// The registration metadata of a client's certificate (RFC 8705 section 2).
public struct CertificateMetadata: Sendable, Hashable {
  /// The names by which a certificate of an authority can be recognised, as members of the
  /// registration (RFC 8705 section 2.1.2).
  public enum Name: String, Sendable, CaseIterable {
    /// The distinguished name of the subject (RFC 4514).
    case subject = "tls_client_auth_subject_dn"
    /// A DNS name of the alternative names.
    case dns = "tls_client_auth_san_dns"
    /// A URI of the alternative names.
    case uri = "tls_client_auth_san_uri"
    /// An IP address of the alternative names.
    case ip = "tls_client_auth_san_ip"
    /// An e-mail address of the alternative names.
    case email = "tls_client_auth_san_email"
  }

  /// The chain in DER, the client's own certificate first.
  package let chain: [[UInt8]]
  package let name: Name
  /// Its value: of the subject, the text of RFC 4514.
  package let value: String

  package init(chain: [[UInt8]], name: Name, value: String) {
    self.chain = chain
    self.name = name
    self.value = value
  }

  /// The registered members: a name if an authority issued the certificate, else the
  /// certificate itself (RFC 8705 section 2.2.2).
  func members(for method: ClientAuthentication.Method, key: SigningKey?) -> JSONObject {
    guard method == .selfSignedTLSClientAuth else { return [name.rawValue: .string(value)] }
    guard let key else { return [:] }
    var member = key.publicKey.json.object ?? [:]
    member["x5c"] = .strings(chain.map { Base64.encode($0) })
    return ["jwks": ["keys": [.object(member)]]]
  }

  /// The member that requests tokens bound to the certificate, and that announces them.
  package static let bindsTokens = "tls_client_certificate_bound_access_tokens"

  /// All members that depend on the certificate.
  package static let members = Name.allCases.map(\.rawValue) + [bindsTokens]
}
