import JOSE
import JSON
public import OAuth

/// The options of a registration; `nil` leaves a value to the profile, or unchanged.
public struct RegistrationOptions: Sendable {
  /// The name that the server shows to people.
  public var clientName: String?
  /// All scopes that the client may ever request, separated by spaces.
  public var scope: String?
  /// The redirect URI; `nil` for a loopback address.
  public var redirectURI: String?
  /// Further redirect URIs, with other loopback ports that logins try after that of the first.
  public var fallbackRedirectURIs: [String] = []
  /// How the client authenticates; `nil` for what the server prefers.
  public var method: ClientAuthentication.Method?
  /// The certificate and its key, for a method that shows one; `nil` has them made.
  public var credential: ClientCredential?
  package var passphrase: [UInt8]?
  /// The identifier of the software (RFC 7591 section 2).
  public var softwareID: String?
  /// The version of the software.
  public var softwareVersion: String?
  /// The software statement, a JWT (RFC 7591 section 2.3).
  public var softwareStatement: String?
  /// The addresses of people who are responsible for the client.
  public var contacts: [String] = []
  /// Whether the server must encrypt its responses.
  public var encryptedResponses = false
  /// The token that allows the registration (RFC 7591 section 1.2).
  public var initialAccessToken: String?

  /// Makes options that leave everything to the profile and the server.
  public init() {}
}

extension RegistrationOptions {
  /// Puts the chosen values into a client's metadata; what was not chosen stays.
  func apply(
    to client: inout JSONObject, _ credential: ClientCredential?, at server: ServerMetadata
  ) {
    let chosen: [String: JSON?] = [
      "client_name": clientName.map { .string($0) },
      "scope": scope.map { .string($0) },
      "redirect_uris": redirectURI.map { .strings([$0] + fallbackRedirectURIs) },
      "software_id": softwareID.map { .string($0) },
      "software_version": softwareVersion.map { .string($0) },
      "software_statement": softwareStatement.map { .string($0) },
      "contacts": contacts.isEmpty ? nil : .strings(contacts),
    ]
    client.merge(JSONObject(present: chosen), uniquingKeysWith: { $1 })
    if let method { apply(method, to: &client, credential, at: server) }
  }

  private func apply(
    _ method: ClientAuthentication.Method, to client: inout JSONObject,
    _ credential: ClientCredential?, at server: ServerMetadata
  ) {
    let own = ClientMetadata.authentication(
      method, key: credential?.key, certificate: credential?.metadata)
    for name in ["token_endpoint_auth_signing_alg", "jwks"] + CertificateMetadata.members {
      client[name] = nil
    }
    client.merge(own, uniquingKeysWith: { $1 })
    // Requests are signed with what the client now has.
    client[RequestObject.algorithmMember] = RequestObject.algorithm(
      of: method, key: credential?.key, at: server
    ).map { .string($0.rawValue) }
    if method.usesCertificate, server.bindsTokensToCertificates {
      client[CertificateMetadata.bindsTokens] = true
    }
    let anonymous = "client_credentials"
    let others = (client["grant_types"]?.strings ?? []).filter { $0 != anonymous }
    client["grant_types"] = .strings(others + (method == .none ? [] : [anonymous]))
  }
}
