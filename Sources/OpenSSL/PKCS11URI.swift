internal import Primitives

/// The URI of an object in a security token (RFC 7512).
package struct PKCS11URI: Sendable, Hashable {
  /// The attributes of the path: which token, and which object of it.
  package private(set) var attributes: [Attribute: [UInt8]] = [:]
  /// The file that the PIN is read from; `nil` if the URI names none.
  package private(set) var pinFile: String?
  /// The module that has the token; `nil` for the system's.
  package private(set) var module: String?

  /// What the path can name.
  package enum Attribute: String, CaseIterable, Sendable {
    case token, manufacturer, serial, model, object, id, type
  }

  package struct Refusal: Error, Hashable, CustomStringConvertible {
    package let reason: String
    package var description: String { reason }
  }

  package static func hasScheme(_ text: String) -> Bool {
    text.utf8.count >= scheme.utf8.count
      && text.prefix(scheme.utf8.count).asciiLowercased == scheme
  }

  /// Reads a URI.
  ///
  /// A URI with a PIN (`pin-value`) is refused: it is stored, shown and passed in arguments.
  package init(_ text: String) throws(Refusal) {
    guard Self.hasScheme(text), text.utf8.count <= 4096 else {
      throw Refusal(reason: "it does not begin with 'pkcs11:', or is too long")
    }
    let rest = text.utf8.dropFirst(Self.scheme.utf8.count)
    let parts = rest.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    for part in parts[0].split(separator: UInt8(ascii: ";")) { try readAttribute(part) }
    guard parts.count == 2 else { return }
    var names: Set<String> = []
    for part in parts[1].split(separator: UInt8(ascii: "&")) {
      let (name, value) = try Self.pair(part)
      guard names.insert(name).inserted else { throw Refusal(reason: "it has '\(name)' twice") }
      try readQuery(name, value)
    }
  }

  /// The same object without the file of the PIN.
  package var withoutPIN: PKCS11URI {
    var other = self
    other.pinFile = nil
    return other
  }

  package func text(_ attribute: Attribute) -> String? {
    attributes[attribute].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The same token with the object of that label and identifier.
  package func naming(
    token: [Attribute: [UInt8]], label: [UInt8], id: [UInt8]
  ) -> PKCS11URI {
    var other = self
    other.attributes = token.filter { !$0.value.isEmpty }
    other.attributes[.object] = label.isEmpty ? nil : label
    other.attributes[.id] = id.isEmpty ? nil : id
    return other
  }

  private mutating func readAttribute(_ part: Substring.UTF8View) throws(Refusal) {
    let (name, value) = try Self.pair(part)
    guard name != "pin-value" else { throw Self.hasPIN }
    guard let attribute = Attribute(rawValue: name) else {
      throw Refusal(reason: "the attribute '\(VisibleText.of(name))' is not supported")
    }
    guard attributes[attribute] == nil else { throw Refusal(reason: "it has '\(name)' twice") }
    guard
      attribute == .id || (String(validating: value, as: UTF8.self) != nil && !value.contains(0))
    else { throw Refusal(reason: "the value of '\(name)' is not text") }
    if attribute == .type, !Self.types.contains(String(decoding: value, as: UTF8.self)) {
      throw Refusal(reason: "'type' must be 'private', 'public' or 'cert'")
    }
    attributes[attribute] = value
  }

  private mutating func readQuery(_ name: String, _ value: [UInt8]) throws(Refusal) {
    let text = String(decoding: value, as: UTF8.self)
    switch name {
    case "pin-value": throw Self.hasPIN
    case "pin-source":
      let path = text.hasPrefix("file:") ? String(text.dropFirst(5)) : text
      // file:///path has an empty authority.
      let local = path.hasPrefix("///") ? String(path.dropFirst(2)) : path
      guard local.hasPrefix("/"), !local.hasPrefix("//"), !value.contains(0) else {
        throw Refusal(reason: "'pin-source' must be a file with an absolute path")
      }
      pinFile = local
    case "module-path":
      guard text.hasPrefix("/"), !value.contains(0) else {
        throw Refusal(reason: "'module-path' must be an absolute path")
      }
      module = text
    default:
      throw Refusal(reason: "the attribute '\(VisibleText.of(name))' is not supported")
    }
  }

  private static func pair(
    _ part: Substring.UTF8View
  ) throws(Refusal) -> (name: String, value: [UInt8]) {
    guard let index = part.firstIndex(of: UInt8(ascii: "=")) else {
      throw Refusal(reason: "an attribute has no value")
    }
    let name = String(decoding: part[..<index], as: UTF8.self)
    guard let value = decoded(part[part.index(after: index)...]) else {
      throw Refusal(reason: "the value of '\(VisibleText.of(name))' is not encoded correctly")
    }
    return (name, value)
  }

  private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        guard isPlain(byte) || "/?|".utf8.contains(byte) else { return nil }
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let pair = Hex.decode(rest.prefix(2)) else { return nil }
      bytes += pair
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// Whether a byte stands for itself in a value (section 2.3).
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isLetter || byte.isDigit || "-._~:[]@!$'()*+,=&".utf8.contains(byte)
  }

  private static let hasPIN = Refusal(
    reason: "it contains a PIN (pin-value), which others could read")
  private static let scheme = "pkcs11:"
  private static let types: Set<String> = ["private", "public", "cert"]
}

extension PKCS11URI: CustomStringConvertible {
  /// The URI with its attributes in a fixed order.
  package var description: String {
    let path = Attribute.allCases.compactMap { attribute in
      attributes[attribute].map { "\(attribute.rawValue)=\(Self.encoded($0, attribute))" }
    }
    var query: [String] = []
    if let pinFile { query.append("pin-source=file:\(Self.encoded(Array(pinFile.utf8)))") }
    if let module { query.append("module-path=\(Self.encoded(Array(module.utf8)))") }
    let text = "pkcs11:" + path.joined(separator: ";")
    return query.isEmpty ? text : text + "?" + query.joined(separator: "&")
  }

  private static func encoded(_ bytes: [UInt8], _ attribute: Attribute? = nil) -> String {
    var text = ""
    for byte in bytes {
      // An identifier is encoded as a whole, as RFC 7512 recommends.
      let isPlain =
        byte.isLetter || byte.isDigit || "-._~".utf8.contains(byte)
        || (attribute == nil && byte == UInt8(ascii: "/"))
      text +=
        isPlain && attribute != .id
        ? String(UnicodeScalar(byte)) : "%" + Hex.encode([byte], uppercase: true)
    }
    return text
  }
}
