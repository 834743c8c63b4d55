package import JSON

/// A request to authenticate, or to confirm a transaction (dictionary `AuthenticationRequest`).
package struct UAFAuthenticationRequest: RequestMessage {
  package static let operation = UAFOperation.authentication

  package let header: OperationHeader
  /// The challenge as the message has it: base64url.
  package let challenge: String
  /// The same transaction in several forms, of which the user confirms one; none without one.
  package let transactions: [UAFTransaction]
  package let policy: UAFPolicy

  package init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError) {
    let reader = MessageReader(members, "the authentication request")
    self.header = header
    challenge = try reader.bytes("challenge", count: Limits.challenge).text
    var list: [UAFTransaction] = []
    for value in try reader.optionalArray("transaction") ?? [] {
      list.append(try UAFTransaction(value))
    }
    guard list.count <= Limits.elements else {
      throw .malformed("the authentication request has \(list.count) transactions")
    }
    transactions = list
    policy = try UAFPolicy(members["policy"])
  }
}
