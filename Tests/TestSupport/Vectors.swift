import Foundation
package import JSON

/// The examples in Tests/Vectors: those of RFCs, and what other programs have made.
package enum Vectors {
  /// RFC 7520: keys, signatures, encryption, a nested token.
  package static let cookbook = load("rfc7520.json")
  /// The appendices of RFC 7515, RFC 7516, RFC 7517 and RFC 7519.
  package static let appendices = load("rfc7515-7519.json")

  /// RFC 9901: a presentation with key binding, nested disclosures, digests.
  package static let selective = load("rfc9901.json")

  /// Assertions of FIDO UAF; `Tests/Vectors/uaf.py` makes them.
  package static let uaf = load("uaf.json")

  /// The metadata of large providers.
  package static let providers = load("providers.json")

  private static func load(_ name: String) -> JSON {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Vectors/\(name)")
    guard let data = try? Data(contentsOf: file), let document = try? JSON(parsing: Array(data))
    else { return .null }
    return document
  }
}
