import COpenSSL
import Primitives

/// A subject for a certificate request, read from text.
///
/// The text is as RFC 4514 has it, the most specific part first: `CN=alice,O=Example`. A comma, plus
/// sign or backslash in a value follows a backslash.
package struct SubjectName: Sendable, Hashable {
  /// One attribute; `isJoined` if it belongs to the same part as the one before it in the text.
  private struct Attribute: Sendable, Hashable {
    let type: String
    let value: String
    let isJoined: Bool
  }

  private let attributes: [Attribute]

  /// Reads a subject; an empty text is an empty subject.
  package init(_ text: String) throws(CryptoError) {
    var attributes: [Attribute] = []
    var isJoined = false
    for part in text.isEmpty ? [] : Self.split(text) {
      guard let equals = part.text.firstIndex(of: "=") else {
        throw CryptoError(
          "read the subject", reasons: ["it is not of the form CN=NAME,O=ORGANISATION"])
      }
      let type = Self.trimmed(part.text[..<equals])
      let value = Self.unescaped(Self.trimmed(part.text[part.text.index(after: equals)...]))
      guard !type.isEmpty, !value.isEmpty, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
      else {
        throw CryptoError("read the subject", reasons: ["'\(type)' has no value that can be used"])
      }
      attributes.append(Attribute(type: type, value: value, isJoined: isJoined))
      isJoined = part.isFollowedByPlus
    }
    self.attributes = attributes
  }

  package init(commonName: String) {
    attributes = [Attribute(type: "CN", value: commonName, isJoined: false)]
  }

  /// Makes an `X509_NAME`, which the caller frees.
  func made() throws(CryptoError) -> OpaquePointer {
    let operation = "make the subject"
    try CryptoLibrary.begin()
    let name = try require(crypto.X509_NAME_new(), to: operation)
    // The structure begins with the least specific part.
    var joinsNext = false
    for attribute in attributes.reversed() {
      let value = Array(attribute.value.utf8)
      let isAdded =
        crypto.X509_NAME_add_entry_by_txt(
          name, attribute.type, Int32(MBSTRING_UTF8), value, Int32(clamping: value.count), -1,
          joinsNext ? -1 : 0) == 1
      guard isAdded else {
        crypto.X509_NAME_free(name)
        throw CryptoError(
          operation,
          reasons: ["'\(VisibleText.of(attribute.type))' is unknown, or its value is too long"])
      }
      joinsNext = attribute.isJoined
    }
    ErrorQueue.clear()
    return name
  }

  private static func split(_ text: String) -> [(text: Substring, isFollowedByPlus: Bool)] {
    var parts: [(Substring, Bool)] = []
    var start = text.startIndex
    var isEscaped = false
    for index in text.indices {
      let character = text[index]
      if !isEscaped, character == "," || character == "+" {
        parts.append((text[start..<index], character == "+"))
        start = text.index(after: index)
      }
      isEscaped = !isEscaped && character == "\\"
    }
    return parts + [(text[start...], false)]
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// `\,` becomes `,`, and `\C3\A4` its bytes.
  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      if let pair = Hex.decode(rest.prefix(2)), pair.count == 1 {
        bytes += pair
        rest = rest.dropFirst(2)
      } else if let next = rest.popFirst() {
        bytes.append(next)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Reads an `X509_NAME`, which stays with its owner.
enum DistinguishedName {
  /// One line in the order and escaping of RFC 2253, as UTF-8.
  static func text(of name: OpaquePointer?) -> String {
    guard let name, let output = try? MemoryBIO(for: "print a name") else { return "" }
    // A name with a text that cannot be converted to UTF-8 is none for libcrypto, so all others can be printed.
    _ = crypto.X509_NAME_print_ex(output.raw, name, 0, copenssl_name_flags())
    return VisibleText.of(String(decoding: output.bytes, as: UTF8.self), .bytes)
  }
}
