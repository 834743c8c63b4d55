package import JSON
import Primitives

/// A request to delete keys (dictionary `DeregistrationRequest`); no response exists.
package struct UAFDeregistrationRequest: RequestMessage {
  /// What an element of `authenticators` names.
  package enum Target: Sendable, Hashable {
    /// One key: its authenticator, and its identifier in base64url.
    case key(aaid: AAID, keyID: String)
    /// All keys of an authenticator for the application: the identifier of the key is empty.
    case authenticator(aaid: AAID)
    /// All keys of the application: both are empty (version 1.1).
    case all

    /// Whether a key is named.
    package func names(aaid: AAID, keyID: String) -> Bool {
      switch self {
      case .key(let named, let id): named == aaid && sameIdentifier(id, keyID)
      case .authenticator(let named): named == aaid
      case .all: true
      }
    }
  }

  package static let operation = UAFOperation.deregistration

  package let header: OperationHeader
  package let targets: [Target]

  package init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError) {
    self.header = header
    let values = try MessageReader(members, "the deregistration request").array("authenticators")
    guard (1...Limits.elements).contains(values.count) else {
      throw .malformed("the deregistration request names \(values.count) authenticators")
    }
    var list: [Target] = []
    for value in values { list.append(try Self.target(value, header.version)) }
    targets = list
  }

  private static func target(
    _ value: JSON, _ version: ProtocolVersion
  ) throws(UAFError) -> Target {
    let reader = try MessageReader(value, "an authenticator of the deregistration request")
    let model = try reader.possiblyEmptyText("aaid", atMost: 9)
    let keyID = try reader.possiblyEmptyText("keyID", atMost: 4096)
    guard !model.isEmpty else {
      guard keyID.isEmpty, version >= .v1_1 else {
        throw .malformed("'aaid' of \(reader.subject) is empty")
      }
      return .all
    }
    guard let aaid = AAID(model) else {
      throw .malformed("'aaid' of \(reader.subject) is not of the form VVVV#MMMM")
    }
    guard !keyID.isEmpty else { return .authenticator(aaid: aaid) }
    guard let bytes = Base64.decode(keyID.utf8, alphabet: .url), Limits.keyID.contains(bytes.count)
    else { throw .malformed("'keyID' of \(reader.subject) is not base64url of a key identifier") }
    return .key(aaid: aaid, keyID: keyID)
  }
}
