import JSON
public import Pinning
import Primitives

/// The pins of a profile on disk: `pins.json`, fit to commit and share.
public struct PinStore: Sendable {
  private let path: StorePath

  /// Opens the pins of a profile; nothing is read yet.
  public init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.configFile("profiles/\(profile)/pins.json")
  }

  /// Reads the pins; none when there is no file.
  public func load() throws(SDKError) -> PinSets {
    guard let document = try StoreDocument.read(path, .shared) else { return PinSets() }
    guard let hosts = document.members["hosts"] else { return PinSets() }
    guard let members = hosts.object else { throw invalid("'hosts' is \(hosts.kind)") }
    var sets: [PinSet] = []
    for (host, value) in members.sorted {
      sets.append(try set(host, value))
    }
    return PinSets(sets)
  }

  /// Writes the pins; members of the document that are not pins stay.
  public func save(_ book: PinSets) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .shared) ?? StoreDocument(path: path, secrecy: .shared)
    let old = document.members["hosts"]
    let hosts = book.sets.map { ($0.host, json($0, over: old?[$0.host])) }
    document.members["hosts"] = .object(JSONObject(hosts))
    try document.write()
  }

  private func set(_ host: String, _ value: JSON) throws(SDKError) -> PinSet {
    guard let keys = value["keys"]?.array, !keys.isEmpty else {
      throw invalid("'hosts.\(host).keys' is missing or empty")
    }
    var pinned: [PinnedKey] = []
    for (index, key) in keys.enumerated() {
      guard let text = key["pin"]?.string, let pin = Pin(text) else {
        throw invalid("'hosts.\(host).keys[\(index)].pin' is no SHA-256 pin")
      }
      guard let role = PinRole(identifier: key["role"]?.string ?? PinRole.leaf.rawValue) else {
        throw invalid(
          "'hosts.\(host).keys[\(index)].role' is none of leaf, intermediate, root, backup")
      }
      pinned.append(
        PinnedKey(
          pin: pin, role: role, label: key["label"]?.string,
          added: key["added"]?.string.flatMap { Timestamp($0) }))
    }
    let expires = try expiry(value["expires"], host)
    let set = PinSet(
      host: host, includesSubdomains: value["includeSubdomains"]?.bool ?? false, expires: expires,
      keys: pinned)
    guard let set else { throw invalid("'hosts.\(host)' is no host name") }
    // As `pin add` would: the file may have been written by hand.
    if set.includesSubdomains, PublicSuffix.contains(set.host) {
      throw invalid("'hosts.\(host)' includes the subdomains of a public suffix")
    }
    return set
  }

  /// A date that cannot be read must not become "never".
  private func expiry(_ value: JSON?, _ host: String) throws(SDKError) -> Timestamp? {
    guard let value, value != .null else { return nil }
    guard let time = value.string.flatMap({ Timestamp($0) }) else {
      throw invalid("'hosts.\(host).expires' is no ISO 8601 date")
    }
    return time
  }

  private func json(_ set: PinSet, over old: JSON?) -> JSON {
    var value = old ?? [:]
    value["includeSubdomains"] = .bool(set.includesSubdomains)
    value["expires"] = set.expires.map { .string($0.description) }
    value["keys"] = .array(
      set.keys.map { key in
        .members([
          "pin": .string(key.pin.description),
          "role": .string(key.role.rawValue),
          "label": key.label.map { .string($0) },
          "added": key.added.map { .string($0.description) },
        ])
      })
    return value
  }

  private func invalid(_ cause: String) -> SDKError {
    SDKError(.invalidConfiguration, "could not read '\(path)': \(cause)")
  }
}
