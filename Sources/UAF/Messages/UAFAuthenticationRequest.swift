package import JSON

/// A request to authenticate, or to confirm a transaction (dictionary `AuthenticationRequest`).
package struct UAFAuthenticationRequest: RequestMessage {
  package static let operation = UAFOperation.authentication

  package let header: OperationHeader
  /// The challenge as the message has it: base64url.
  package let challenge: String
  /// The same transaction in several forms, of which the user confirms one; empty for a login.
  package let transactions: [UAFTransaction]
  package let policy: UAFPolicy

  /// The form to show: a text, if there is one; `nil` for a login.
  package var transaction: UAFTransaction? {
    let text = transactions.first { if case .text = $0.content { true } else { false } }
    return text ?? transactions.first
  }

  package init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError) {
    let reader = MessageReader(members, "the authentication request")
    self.header = header
    challenge = try reader.bytes("challenge", count: Limits.challenge).text
    transactions = try Self.transactions(try reader.optionalArray("transaction") ?? [])
    policy = try UAFPolicy(members["policy"])
  }

  /// Reads the forms of a transaction, of which one that can be shown suffices.
  private static func transactions(_ values: [JSON]) throws(UAFError) -> [UAFTransaction] {
    guard values.count <= Limits.elements else {
      throw .malformed("the authentication request has \(values.count) transactions")
    }
    var list: [UAFTransaction] = []
    var objection: UAFError?
    for value in values {
      do throws(UAFError) {
        list.append(try UAFTransaction(value))
      } catch {
        guard error.code == .invalidTransactionContent else { throw error }
        objection = error
      }
    }
    if list.isEmpty, let objection { throw objection }
    return list
  }
}
