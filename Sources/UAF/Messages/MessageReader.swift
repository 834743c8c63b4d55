import JSON
import Primitives

/// Reads the members of one dictionary of a message; errors name the dictionary and the member.
struct MessageReader {
  let members: JSONObject
  /// The dictionary, as `the header`.
  let subject: String

  init(_ value: JSON?, _ subject: String) throws(UAFError) {
    guard let value else { throw .malformed("\(subject) is missing") }
    guard let members = value.object else {
      throw .malformed("\(subject) is \(value.kind), not an object")
    }
    self.init(members, subject)
  }

  init(_ members: JSONObject, _ subject: String) {
    self.members = members
    self.subject = subject
  }

  func has(_ name: String) -> Bool { members[name].map { $0 != .null } ?? false }

  /// A value that must be there, of the kind that `read` returns.
  private func required<Value>(
    _ name: String, _ kind: String, _ read: (JSON) -> Value?
  ) throws(UAFError) -> Value {
    guard let value = try optional(name, kind, read) else {
      throw .malformed("'\(name)' of \(subject) is missing")
    }
    return value
  }

  /// A value that may be absent or `null`: servers in Java write members without a value so.
  private func optional<Value>(
    _ name: String, _ kind: String, _ read: (JSON) -> Value?
  ) throws(UAFError) -> Value? {
    guard has(name), let value = members[name] else { return nil }
    guard let read = read(value) else {
      throw .malformed("'\(name)' of \(subject) is not \(kind)")
    }
    return read
  }

  func text(_ name: String, atMost limit: Int) throws(UAFError) -> String {
    let text = try required(name, "a string", \.string)
    guard !text.isEmpty else { throw .malformed("'\(name)' of \(subject) is empty") }
    return try bounded(text, name, limit)
  }

  /// A text that may be absent or empty; both count as empty.
  func optionalText(_ name: String, atMost limit: Int) throws(UAFError) -> String {
    try bounded(try optional(name, "a string", \.string) ?? "", name, limit)
  }

  /// A text that must be there and may be empty.
  func possiblyEmptyText(_ name: String, atMost limit: Int) throws(UAFError) -> String {
    try bounded(try required(name, "a string", \.string), name, limit)
  }

  func bool(_ name: String) throws(UAFError) -> Bool {
    try required(name, "a boolean", \.bool)
  }

  func integer(_ name: String) throws(UAFError) -> Int {
    try required(name, "a whole number") { $0.int.flatMap { Int(exactly: $0) } }
  }

  /// A number of no more bits than the field has; `nil` if it is absent.
  func optionalNumber<Number: FixedWidthInteger & UnsignedInteger>(
    _ name: String
  ) throws(UAFError) -> Number? {
    try optional(name, "a number of \(Number.bitWidth) bits") {
      $0.int.flatMap(Number.init(exactly:))
    }
  }

  /// A number that must be there, of no more bits than the field has.
  func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ name: String
  ) throws(UAFError) -> Number {
    try required(name, "a number of \(Number.bitWidth) bits") {
      $0.int.flatMap(Number.init(exactly:))
    }
  }

  /// Numbers of 16 bits; `nil` if the member is absent.
  func optionalNumbers(_ name: String) throws(UAFError) -> [UInt16]? {
    try optional(name, "an array of numbers") { value in
      guard let array = value.array else { return nil }
      let numbers = array.compactMap { $0.int.flatMap(UInt16.init(exactly:)) }
      return numbers.count == array.count ? numbers : nil
    }
  }

  func optionalTexts(_ name: String) throws(UAFError) -> [String]? {
    try optional(name, "an array of strings", \.strings)
  }

  func optionalArray(_ name: String) throws(UAFError) -> [JSON]? {
    try optional(name, "an array", \.array)
  }

  func array(_ name: String) throws(UAFError) -> [JSON] {
    try required(name, "an array", \.array)
  }

  /// Bytes in base64url without padding, of a length in the range; the text is kept too.
  func bytes(
    _ name: String, count: ClosedRange<Int>
  ) throws(UAFError) -> (text: String, bytes: [UInt8]) {
    let text = try required(name, "a string", \.string)
    guard let bytes = Base64.decode(text.utf8, alphabet: .url) else {
      throw .malformed("'\(name)' of \(subject) is not base64url")
    }
    guard count.contains(bytes.count) else {
      throw .malformed("'\(name)' of \(subject) has \(bytes.count) bytes")
    }
    return (text, bytes)
  }

  /// The text, if it has no more characters, as a `DOMString` counts them: UTF-16 units.
  private func bounded(
    _ text: String, _ name: String, _ limit: Int
  ) throws(UAFError) -> String {
    guard text.utf16.count <= limit else {
      throw .malformed("'\(name)' of \(subject) is longer than \(limit) characters")
    }
    return text
  }

  /// The first extension of `exts` that this client must know; `nil` if it may ignore all.
  func requiredExtension() throws(UAFError) -> String? {
    var required: String?
    for value in try optionalArray("exts") ?? [] {
      let reader = try MessageReader(value, "an extension of \(subject)")
      let id = try reader.text("id", atMost: 32)
      _ = try reader.possiblyEmptyText("data", atMost: Limits.extensionData)
      if try reader.bool("fail_if_unknown") { required = required ?? id }
    }
    return required
  }
}

/// The lengths of members (FIDO UAF Protocol 1.1, and bounds for what it leaves open).
enum Limits {
  /// `appID`: 512 characters.
  static let appID = 512
  /// `serverData`: 1536 characters.
  static let serverData = 1536
  /// `username`: 128 characters.
  static let username = 128
  /// `challenge`, decoded: 8 to 64 bytes.
  static let challenge = 8...64
  /// The data of an extension, which the specification does not bound.
  static let extensionData = 64 << 10
  /// `keyID`, decoded: 32 to 2048 bytes.
  static let keyID = 32...2048
  /// The content of a transaction: for an image, the specification has no bound.
  static let transactionContent = 1...(1 << 20)
  /// The text of a transaction: 200 characters.
  static let transactionText = 200
  /// The elements of any array.
  static let elements = 1000
}
