import HTTP
import JSON
import OAuth
import Primitives

/// An identity provider with which users can register.
public struct IdentityProvider: Sendable, Hashable {
  /// What a registration names.
  public let id: String
  /// The name for people.
  public let name: String
}

/// What the server says of this installation if it still accepts it.
///
/// The vendor's request is not public: this is the one place of the guess. A client that can authenticate is
/// asked for at `client_validation_endpoint`; without that, one that was registered from here is read
/// (RFC 7592 section 2.1).
struct ClientValidation: Sendable {
  let client: JSONObject

  var identityProviders: [IdentityProvider]? {
    let list = client["identity_providers"] ?? client["identityProviders"]
    return list?.array?.compactMap { provider in
      guard let id = provider["id"]?.string else { return nil }
      return IdentityProvider(id: id, name: provider["name"]?.string ?? id)
    }
  }
}

extension AuthorizationServer {
  /// Asks the server once in each session whether it still accepts this installation, if the profile requires that.
  ///
  /// - Throws: ``SDKError``: `refused` with the vendors' number 9002, 9004 or 9005 if it does not.
  func requireValidClient() async throws(SDKError) {
    guard profile.validatesClient else { return }
    _ = try await validation.value { [self] () throws(SDKError) in
      try await attempt(Self.validationAction) { try await validatedClient() }
    }
  }

  static let validationAction = "could not validate this installation"

  /// Asks the server whether it still accepts this installation; the caller adds the action.
  func validatedClient() async throws(SDKError) -> ClientValidation {
    try await attempt {
      let registration = try await records.required()
      let metadata = try await metadata()
      guard let url = try metadata.url(of: .clientValidation) else {
        return try await readClient(registration)
      }
      let client = try await client(registration, at: metadata, for: [.clientValidation])
        .at(.clientValidation, of: metadata)
      var parameters: FormParameters = ["platform": "linux"]
      for name in ["software_id", "software_version"] {
        parameters[name] = registration.client[name]?.string
      }
      let document = try await serverClient().object(parameters, to: url, as: client)
      guard sameIdentifier(document["client_id"]?.string, registration.clientID) else {
        throw SDKError(.untrusted, cause: "the response is about another client")
      }
      return ClientValidation(client: document)
    }
  }

  private func readClient(_ registration: Registration) async throws(SDKError) -> ClientValidation {
    let management = try management(of: try await records.openedByPasscode(registration))
    do throws(OAuthError) {
      return ClientValidation(client: try await management.read().document)
    } catch {
      guard error.server?.status == 401 else { throw SDKError(error) }
      throw SDKError(
        .refused, cause: "the server no longer knows it (\(error.message))",
        resource: .deviceDeregistered, serverError: error.server?.error,
        subject: profile.name.description, remedy: .registerAnew)
    }
  }
}
