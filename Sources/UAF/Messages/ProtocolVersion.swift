package import JSON

/// A version of the UAF protocol.
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

  /// The dictionary.
  package var json: JSON { ["major": .int(Int64(major)), "minor": .int(Int64(minor))] }

  package var description: String { "\(major).\(minor)" }

  package static func < (left: ProtocolVersion, right: ProtocolVersion) -> Bool {
    (left.major, left.minor) < (right.major, right.minor)
  }
}
