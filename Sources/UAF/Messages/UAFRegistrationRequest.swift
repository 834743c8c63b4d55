package import JSON

/// A request to register a key (dictionary `RegistrationRequest`).
package struct UAFRegistrationRequest: RequestMessage {
  package static let operation = UAFOperation.registration

  package let header: OperationHeader
  /// The challenge as the message has it: base64url.
  package let challenge: String
  /// The name of the user at the server, for people.
  package let username: String
  package let policy: UAFPolicy

  package init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError) {
    let reader = MessageReader(members, "the registration request")
    self.header = header
    challenge = try reader.bytes("challenge", count: Limits.challenge).text
    username = try reader.text("username", atMostCharacters: Limits.username)
    policy = try UAFPolicy(members["policy"])
  }
}
