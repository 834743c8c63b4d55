import HTTP
package import JSON
package import POSIX
import Primitives

/// What helps to find a fault, for somebody who must not see a secret.
///
/// Of settings it has numbers, flags, fixed words and the origins of URLs; of files, where they are, how they
/// are protected, and the names and types of what documents have; of variables that they are set. No value
/// of a secret document is in it.
package struct SupportBundle: Sendable {
  private let store: ProfileStore
  private let profiles: [ProfileName]?
  private let environment: Environment

  /// - Parameters:
  ///   - store: the store.
  ///   - profiles: the profiles; `nil` for all.
  ///   - environment: the variables of the process.
  package init(_ store: ProfileStore, profiles: [ProfileName]?, _ environment: Environment) {
    self.store = store
    self.profiles = profiles
    self.environment = environment
  }

  /// The document: `variables`, `profiles` and `files`.
  package func json() -> JSON {
    let names = profiles ?? (try? store.names()) ?? []
    return [
      "variables": .strings(environment.names.filter(Self.isRelevant)),
      "profiles": .object(JSONObject(names.map { ($0.description, settings(of: $0)) })),
      "files": .array(files()),
    ]
  }

  private static func isRelevant(_ name: String) -> Bool {
    prefixes.contains { name.hasPrefix($0) } || name.asciiLowercased.hasSuffix("_proxy")
  }

  private static let prefixes = [
    "SDKCTL", "XDG_", "SSL_", "CURL_", "OPENSSL", "PKCS11", "BEARER_TOKEN", "BROWSER", "DISPLAY",
    "WAYLAND_DISPLAY", "LANG", "LC_", "TERM", "NO_COLOR", "CLICOLOR", "LD_", "MALLOC_",
  ]

  /// The settings of a profile that can be shown; null if they cannot be read.
  private func settings(of name: ProfileName) -> JSON {
    guard let bytes = try? store.bytes(of: name), let document = try? JSON(parsing: bytes),
      let members = document.object
    else { return .null }
    return .object(JSONObject(members.settings.map { ($0, Self.shown($1, of: $0)) }))
  }

  private static func shown(_ value: JSON, of path: String) -> JSON {
    guard let key = ProfileKey.named(path), (try? key.check(value)) != nil else {
      return .string(value.kind)
    }
    if value.bool != nil || value.int != nil { return value }
    if let text = value.string, key.words.contains(text) { return value }
    if let url = value.string.flatMap({ try? HTTPURL($0) }) { return .string(url.origin) }
    return .string(value.kind)
  }

  private func files() -> [JSON] {
    let wanted = profiles.map { Set($0.map(\.description)) }
    let tree = StoreTree(location: store.location, profiles: wanted)
    return tree.nodes(unreadable: { _ in }).map { node in
      [
        "path": .string(node.path), "kind": .string(node.entry?.word ?? "foreign"),
        "mode": .string(node.status.modeText), "own": .bool(node.status.isOwnedByUser),
        "size": .int(node.status.size), "modified": .string(node.status.modified.description),
        "content": shape(of: node),
      ]
    }
  }

  /// The names and types of the members of a document; null for what is not one.
  private func shape(of node: StoreTree.Node) -> JSON {
    let secrecy: StoreDocument.Secrecy
    switch node.entry {
    case .document(let kind)?: secrecy = kind
    case .cached?: secrecy = .shared
    default: return .null
    }
    guard let bytes = try? secrecy.readFile(node.path), let document = try? JSON(parsing: bytes)
    else { return .null }
    return Self.shape(document)
  }

  private static func shape(_ value: JSON) -> JSON {
    switch value {
    case .object(let members): .object(JSONObject(members.map { ($0.key, shape($0.value)) }))
    case .array(let values): .array(values.prefix(1).map(shape))
    default: .string(value.kind)
    }
  }
}
