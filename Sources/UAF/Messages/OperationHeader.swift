package import JSON
import Primitives

/// The header of a request (dictionary `OperationHeader`).
package struct OperationHeader: Sendable, Hashable {
  package let version: ProtocolVersion
  package let operation: UAFOperation
  /// The application that the keys belong to; empty if it is the facet of the client.
  package let appID: String
  /// State of the server, which the response returns.
  package let serverData: String
  package let extensions: [MessageExtension]
  /// The dictionary as it was received: the response returns it unchanged.
  package let document: JSONObject

  /// Reads a header, whose version was read before.
  init(
    _ value: JSON?, _ version: ProtocolVersion, of expected: UAFOperation
  ) throws(UAFError) {
    let reader = try MessageReader(value, "the header of the \(expected.noun)")
    let name = try reader.text("op", atMost: 32)
    guard let operation = UAFOperation(identifier: name), operation == expected else {
      throw .malformed(
        "the message is not a \(expected.noun): its operation is '\(VisibleText.of(name))'")
    }
    self.version = version
    self.operation = operation
    appID = try reader.optionalText("appID", atMost: Limits.appID)
    serverData = try reader.optionalText("serverData", atMost: Limits.serverData)
    extensions = try reader.optionalExtensions()
    document = reader.members
  }

  /// The application: a facet without an application is one itself.
  package func application(of facetID: String) -> String { appID.isEmpty ? facetID : appID }
}
