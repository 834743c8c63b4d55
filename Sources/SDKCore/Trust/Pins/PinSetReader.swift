import JSON
import Pinning
import Primitives

/// Reads one pin set of a document.
struct PinSetReader {
  typealias ReadError = PinDocument.ReadError

  private let path: String
  private let text: String
  private let isProxy: Bool
  private let value: JSON

  init(path: String, _ text: String, _ isProxy: Bool, _ value: JSON) {
    self.path = path
    self.text = text
    self.isProxy = isProxy
    self.value = value
  }

  /// The pattern of a member; `includeSubdomains` beside a plain host means `**.`.
  static func pattern(_ text: String, _ value: JSON, isProxy: Bool = false) -> PinPattern? {
    guard let pattern = PinPattern(text, isProxy: isProxy) else { return nil }
    guard pattern.subdomains == .none, value["includeSubdomains"]?.bool == true else {
      return pattern
    }
    return pattern.with(subdomains: .all)
  }

  func set() throws(ReadError) -> PinSet {
    guard let keys = value["keys"]?.array, !keys.isEmpty else {
      throw ReadError(cause: "'\(path).keys' is missing or empty")
    }
    guard keys.count <= PinSet.maximumCount else {
      throw ReadError(cause: "'\(path).keys' has more than \(PinSet.maximumCount) pins")
    }
    _ = try member("includeSubdomains", of: value, path, \.bool) { _ in "is not true or false" }
    var pinned: [PinnedKey] = []
    for (index, key) in keys.enumerated() {
      pinned.append(try self.key(key, "\(path).keys[\(index)]"))
    }
    guard let pattern = Self.pattern(text, value, isProxy: isProxy) else {
      throw ReadError(cause: "'\(path)' is not a host name")
    }
    // As `pin add` would: the file may have been written by hand.
    if pattern.subdomains != .none, PublicSuffix.contains(pattern.host) {
      throw ReadError(cause: "'\(path)' includes the subdomains of a public suffix")
    }
    return PinSet(
      pattern, expires: try date("expires", of: value, path), policy: try policy(),
      comment: try string("comment", of: value, path),
      keys: pinned)
  }

  private func key(_ key: JSON, _ path: String) throws(ReadError) -> PinnedKey {
    guard let text = key["pin"]?.string, let pin = Pin(text) else {
      throw ReadError(cause: "'\(path).pin' is not a SHA-256 pin")
    }
    guard let role = PinRole(identifier: key["role"]?.string ?? PinRole.leaf.rawValue) else {
      throw ReadError(
        cause: "'\(path).role' is not leaf, intermediate, root or backup")
    }
    let origin = try string("origin", of: key, path)
    return PinnedKey(
      pin: pin, role: role, label: try string("label", of: key, path),
      added: try date("added", of: key, path), comment: try string("comment", of: key, path),
      origin: try origin.map { (text) throws(ReadError) in
        guard let origin = PinOrigin(text) else {
          let kinds = PinOrigin.Kind.allCases.map(\.rawValue).joined(separator: ", ")
          throw ReadError(cause: "'\(path).origin' does not begin with one of \(kinds)")
        }
        return origin
      }, notAfter: try date("notAfter", of: key, path),
      keyType: try string("keyType", of: key, path))
  }

  private func policy() throws(ReadError) -> PinPolicy? {
    guard let text = try string("policy", of: value, path) else { return nil }
    guard let policy = PinPolicy(identifier: text) else {
      throw ReadError(cause: "'\(path).policy' is not enforce or report")
    }
    return policy
  }

  private func date(
    _ name: String, of value: JSON, _ path: String
  ) throws(ReadError) -> Timestamp? {
    try member(name, of: value, path, { $0.string.flatMap { Timestamp($0) } }) { _ in
      "is not an ISO 8601 date"
    }
  }

  private func string(
    _ name: String, of value: JSON, _ path: String
  ) throws(ReadError) -> String? {
    try member(name, of: value, path, \.string) { "is \($0.kind)" }
  }

  /// A member as a value; `nil` if it is missing or null.
  private func member<Value>(
    _ name: String, of value: JSON, _ path: String, _ read: (JSON) -> Value?,
    refusal: (JSON) -> String
  ) throws(ReadError) -> Value? {
    guard let member = value[name], member != .null else { return nil }
    guard let value = read(member) else {
      throw ReadError(cause: "'\(path).\(name)' \(refusal(member))")
    }
    return value
  }
}
