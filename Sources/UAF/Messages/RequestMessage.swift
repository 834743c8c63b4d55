package import JSON

/// A request of a server: an array with one element for each version of the protocol.
package protocol RequestMessage: Sendable, Hashable {
  /// The operation of the request.
  static var operation: UAFOperation { get }
  /// The header of the chosen element.
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
  ///
  /// - Throws: as ``init(parsing:)-(String)``.
  package init(parsing bytes: [UInt8]) throws(UAFError) {
    let (version, element) = try highestVersion(of: bytes, Self.operation.noun)
    let header = try OperationHeader(element["header"], version, of: Self.operation)
    try self.init(header, element)
  }
}

/// The element of the highest supported version.
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
