package import JSON
import OpenSSL

/// What a secret document names of the machine that uses it: a program, a module, a file, a device or its job.
///
/// It is a matter of that machine: an import takes it with consent only, and a shared store never has it.
public struct LocalReference: Sendable, Hashable {
  /// The document and the member, as consent names them: `registration.assertion`.
  public let name: String
  /// What is named.
  public let value: String

  /// The references of a document, by its path with or without `.json`.
  package static func all(in document: JSONObject, at path: String) -> [LocalReference] {
    let path = path.hasSuffix(".json") ? String(path.dropLast(".json".utf8.count)) : path
    var found: [LocalReference] = []
    if let source = document[assertion], source != .null {
      found.append(LocalReference(name: "\(path).\(assertion)", value: source.serialized()))
    }
    for uri in uris(in: .object(document)) { found.append(LocalReference(name: path, value: uri)) }
    return found
  }

  /// The keys in security tokens, at any depth.
  private static func uris(in value: JSON) -> [String] {
    if let values = value.array { return values.flatMap(uris) }
    guard let object = value.object else { return [] }
    return object.sorted.flatMap { name, member in
      if name == "uri", let uri = member.string, PKCS11URI.hasScheme(uri) { return [uri] }
      return uris(in: member)
    }
  }

  private static let assertion = "assertion"
}
