package import JSON
import Primitives

/// A request of a server: an array with one element for each version of the protocol.
package protocol RequestMessage: Sendable, Hashable {
  static var operation: UAFOperation { get }
  var header: OperationHeader { get }
  /// Reads the members of an element besides its header.
  init(_ header: OperationHeader, _ members: JSONObject) throws(UAFError)
}

extension RequestMessage {
  /// Reads the element of the highest version that is supported; others are not read further.
  ///
  /// - Throws: ``UAFError`` with ``ClientErrorCode/unsupportedVersion`` if no version is supported,
  ///   ``ClientErrorCode/unknown`` if an extension is required, and
  ///   ``ClientErrorCode/protocolError`` for anything malformed or another operation.
  package init(parsing text: String) throws(UAFError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// Reads the element of the highest version that is supported, from UTF-8.
  package init(parsing bytes: [UInt8]) throws(UAFError) {
    let (version, element) = try highestVersion(of: bytes, Self.operation.noun)
    let header = try OperationHeader(element["header"], version, of: Self.operation)
    try self.init(header, element)
  }
}

private func highestVersion(
  of bytes: [UInt8], _ noun: String
) throws(UAFError) -> (ProtocolVersion, JSONObject) {
  let document: JSON
  do {
    document = try JSON(parsing: bytes)
  } catch {
    throw .malformed("the \(noun) is not JSON: \(error)")
  }
  guard let elements = document.array else {
    throw .malformed("the \(noun) is \(document.kind), not an array")
  }
  guard !elements.isEmpty, elements.count <= Limits.elements else {
    throw .malformed("the \(noun) has \(elements.count) elements")
  }
  var found: [ProtocolVersion: JSONObject] = [:]
  for element in elements {
    let reader = try MessageReader(element, "an element of the \(noun)")
    let header = try MessageReader(reader.members["header"], "the header of the \(noun)")
    let version = try ProtocolVersion(header.members["upv"], in: "the \(noun)")
    guard found.updateValue(reader.members, forKey: version) == nil else {
      throw .malformed("the \(noun) has two elements of version \(version)")
    }
  }
  for version in ProtocolVersion.supported {
    if let element = found[version] { return (version, element) }
  }
  let versions = found.keys.sorted().map(\.description).joined(separator: ", ")
  throw UAFError(.unsupportedVersion, "the \(noun) has only the versions \(versions)")
}

/// The header of a request (dictionary `OperationHeader`).
package struct OperationHeader: Sendable, Hashable {
  package let version: ProtocolVersion
  /// The application that the keys belong to; empty if it is the facet of the client.
  package let appID: String
  /// The dictionary as it was received: the response returns it unchanged.
  package let document: JSONObject

  /// Reads a header, whose version was read before.
  init(
    _ value: JSON?, _ version: ProtocolVersion, of expected: UAFOperation
  ) throws(UAFError) {
    let reader = try MessageReader(value, "the header of the \(expected.noun)")
    let name = try reader.text("op", atMost: 32)
    guard UAFOperation(identifier: name) == expected else {
      throw .malformed(
        "the message is not a \(expected.noun): its operation is '\(VisibleText.of(name))'")
    }
    self.version = version
    appID = try reader.optionalText("appID", atMost: Limits.appID)
    _ = try reader.optionalText("serverData", atMost: Limits.serverData)
    if let required = try reader.requiredExtension() {
      // The code that the conformance tests of the FIDO Alliance expect.
      throw UAFError(
        .unknown,
        "\(reader.subject) requires the extension '\(VisibleText.of(required))', "
          + "which is not supported")
    }
    document = reader.members
  }

  /// The application: a facet without an application is one itself.
  package func application(of facetID: String) -> String { appID.isEmpty ? facetID : appID }
}

package struct ProtocolVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let major: UInt16
  package let minor: UInt16

  package init(major: UInt16, minor: UInt16) {
    self.major = major
    self.minor = minor
  }

  /// Reads the dictionary `Version`.
  init(_ value: JSON?, in subject: String) throws(UAFError) {
    let reader = try MessageReader(value, "the version of \(subject)")
    major = try reader.number("major")
    minor = try reader.number("minor")
  }

  package static let v1_0 = ProtocolVersion(major: 1, minor: 0)
  package static let v1_1 = ProtocolVersion(major: 1, minor: 1)

  /// The versions that this client supports, the highest first.
  package static let supported = [v1_1, v1_0]

  package var json: JSON { ["major": .int(Int64(major)), "minor": .int(Int64(minor))] }

  package var description: String { "\(major).\(minor)" }

  package static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}

/// The operations of UAF, by their names in messages.
package enum UAFOperation: String, Sendable, Hashable, CaseIterable {
  case registration = "Reg"
  case authentication = "Auth"
  case deregistration = "Dereg"

  /// The name, as in paths of the vendor and for people.
  package var name: String {
    switch self {
    case .registration: "registration"
    case .authentication: "authentication"
    case .deregistration: "deregistration"
    }
  }

  /// The request, for people.
  package var noun: String { "\(name) request" }
}
