import Arguments
import HTTP
import POSIX
import Primitives
import SDKCore

/// A part of a form as it is typed: `name=value`, `name=<file` or `name=@file`, each of them
/// perhaps with `;type=TYPE` and `;filename=NAME`.
///
/// A file name with a semicolon stands between double quotes, as for curl. In a value, everything
/// else is text.
struct FormPart: Sendable, ArgumentValue, CustomStringConvertible {
  enum Source: Sendable, Hashable { case text, file, fileAsText }

  let name: String
  let content: String
  let source: Source
  var type: String?
  var fileName: String?

  var description: String { "\(name) \(source) \(content) \(type ?? "-") \(fileName ?? "-")" }

  static func reading(_ text: String) throws(ValueError) -> FormPart {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else {
      throw ValueError("expected NAME=VALUE or NAME=@FILE")
    }
    let name = String(text[..<equals])
    var rest = Array(text.utf8[equals...].dropFirst())[...]
    let source: Source? =
      rest.first == UInt8(ascii: "@") ? .file : rest.first == UInt8(ascii: "<") ? .fileAsText : nil
    guard let source else { return textPart(name, rest) }
    rest.removeFirst()
    var part = FormPart(name: name, content: try value(&rest), source: source)
    try part.readAttributes(rest)
    return part
  }

  /// A value; only a media type or a file name at its end is more than text.
  private static func textPart(_ name: String, _ bytes: ArraySlice<UInt8>) -> FormPart {
    for index in bytes.indices where bytes[index] == UInt8(ascii: ";") {
      var part = FormPart(name: name, content: text(of: bytes[..<index]), source: .text)
      guard (try? part.readAttributes(bytes[index...])) != nil else { continue }
      var quoted = bytes[..<index]
      if quoted.first == UInt8(ascii: "\""), let value = try? value(&quoted), quoted.isEmpty {
        return FormPart(
          name: name, content: value, source: .text, type: part.type, fileName: part.fileName)
      }
      return part
    }
    return FormPart(name: name, content: text(of: bytes), source: .text)
  }

  /// Reads `;type=TYPE` and `;filename=NAME`; other attributes are parameters of the type.
  private mutating func readAttributes(_ bytes: ArraySlice<UInt8>) throws(ValueError) {
    var rest = bytes
    var endsWithType = false
    while rest.popFirst() != nil {
      // A space may follow the semicolon; as a part of a parameter it is kept.
      var word = rest.drop { $0 == UInt8(ascii: " ") }
      if Self.take("type=", &word) {
        let media = try Self.value(&word)
        guard Self.isMediaType(media) else {
          throw ValueError("expected a media type such as text/plain after ;type=")
        }
        type = media
        endsWithType = true
      } else if Self.take("filename=", &word) {
        fileName = try Self.value(&word)
        endsWithType = false
      } else if endsWithType, let type, word.first != nil, word.first != UInt8(ascii: ";") {
        word = rest.drop { $0 != UInt8(ascii: ";") }
        self.type = "\(type);\(Self.text(of: rest[..<word.startIndex]))"
      } else {
        throw ValueError("expected ;type=TYPE or ;filename=NAME after the file")
      }
      rest = word
    }
  }

  /// The option of curl that sends the same: `--form` would look for more in a text.
  var curlWords: [String] {
    let type = mediaType
    guard source != .text || type != nil || fileName != nil else {
      return ["--form-string", "\(name)=\(content)"]
    }
    // curl would take a comma for the end of a file's name.
    let mark = source == .file ? "@" : source == .fileAsText ? "<" : ""
    var word = "\(name)=\(mark)\(content == "-" ? content : content.quoted)"
    if let type { word += ";type=\(type)" }
    if let fileName { word += ";filename=\(fileName.quoted)" }
    return ["--form", word]
  }

  /// The part with its file opened; `-` is standard input.
  func opened(_ input: Input) throws(Failure) -> MultipartData {
    let data: HTTPBody =
      source == .text
      ? .bytes(Array(content.utf8)) : try BodySource.body(of: "@\(content)", input)
    return MultipartData(
      name: name, data: data, fileName: source == .file ? fileName ?? base : fileName,
      mimeType: mediaType)
  }

  /// The name of the file without its directories.
  private var base: String { content.split(separator: "/").last.map(String.init) ?? content }

  /// The type that was given, or as in curl that of the file name; of a file there is always one.
  private var mediaType: String? {
    if let type { return type }
    let known = fileName.flatMap { Self.type(of: $0) }
    return source == .file ? known ?? Self.type(of: base) ?? "application/octet-stream" : known
  }

  /// Up to the next semicolon, or between quotes.
  private static func value(_ rest: inout ArraySlice<UInt8>) throws(ValueError) -> String {
    guard rest.first == UInt8(ascii: "\"") else {
      let part = rest.prefix { $0 != UInt8(ascii: ";") }
      rest = rest[part.endIndex...]
      return text(of: part)
    }
    rest.removeFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { break }
        return text(of: value[...])
      }
      let isEscape = byte == UInt8(ascii: "\\")
      value.append(isEscape ? rest.popFirst() ?? byte : byte)
    }
    throw ValueError("a quote is not closed")
  }

  /// Whether a text begins with a media type (RFC 9110 section 8.3.1).
  private static func isMediaType(_ text: String) -> Bool {
    let names = text.unicodeScalars.prefix { $0 != ";" && $0 != " " }
      .split(separator: "/", omittingEmptySubsequences: false)
    return names.count == 2 && names.allSatisfy { isToken(String($0)) }
  }

  private static func take(_ word: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private static func text(of bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  /// The media types that curl knows by the end of a name, and that of JSON.
  private static func type(of name: String) -> String? {
    let types = [
      (".gif", "image/gif"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"),
      (".png", "image/png"), (".svg", "image/svg+xml"), (".txt", "text/plain"),
      (".htm", "text/html"), (".html", "text/html"), (".pdf", "application/pdf"),
      (".xml", "application/xml"), (".json", "application/json"),
    ]
    let lowered = name.asciiLowercased
    return types.first { lowered.hasSuffix($0.0) }?.1
  }
}

extension String {
  /// The text between double quotes.
  fileprivate var quoted: String {
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes.append(byte)
    }
    return "\"\(String(decoding: bytes, as: UTF8.self))\""
  }
}
