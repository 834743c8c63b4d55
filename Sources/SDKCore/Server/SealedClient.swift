import JSON

/// The secret members of a registration: its keys, and of the client its secret and the registration access
/// token.
///
/// If the client is sealed, the document has an object `passcodeSealed` instead of them: `text`, encrypted, and
/// `members`, their names.
enum SealedClient {
  /// The members with the secret ones encrypted, if the seal says so.
  static func sealing(
    _ members: JSONObject, by seal: SealDocument
  ) throws(SDKError) -> JSONObject {
    var members = members
    var client = members["client"]?.object ?? [:]
    let secret = JSONObject(
      present: Dictionary(
        uniqueKeysWithValues: RegistrationSecrets.keys.map { ($0, members[$0]) }
          + RegistrationSecrets.ofClient.map { ($0, client[$0]) })
    )
    guard !secret.isEmpty, let text = try seal.sealed(secret, of: .client) else { return members }
    for name in RegistrationSecrets.keys { members[name] = nil }
    for name in RegistrationSecrets.ofClient { client[name] = nil }
    members["client"] = .object(client)
    members[SealedSecretMember.name] = [
      "text": .string(text), "members": .strings(secret.map(\.key).sorted()),
    ]
    return members
  }

  /// Puts the secret members back, once the seal is open.
  static func open(
    _ document: inout SecretDocument, with seal: SlotSeal
  ) throws(SDKError) {
    guard let sealed = document.members[SealedSecretMember.name]?["text"]?.string else { return }
    let secret = try seal.opened(sealed, of: .client)
    var client = document.members["client"]?.object ?? [:]
    for name in RegistrationSecrets.keys { document.members[name] = secret[name] }
    for name in RegistrationSecrets.ofClient { client[name] = secret[name] }
    document.members["client"] = .object(client)
    document.members[SealedSecretMember.name] = nil
  }

  /// The names of the members that are sealed in a document.
  static func names(in document: SecretDocument) -> Set<String> {
    Set(document.members[SealedSecretMember.name]?["members"]?.strings ?? [])
  }
}
