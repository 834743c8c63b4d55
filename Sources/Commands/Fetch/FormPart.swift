import Arguments
import HTTP
import POSIX
import Primitives
import SDKCore

/// A part of a form as it is typed: `name=value`, `name=<file` or `name=@file`, each of them
/// perhaps with `;type=TYPE` and `;filename=NAME`.
///
/// A file name may stand between double quotes, as for curl. In a value, everything else is text.
struct FormPart: Sendable, ArgumentValue, CustomStringConvertible {
  enum Source: Sendable, Hashable { case text, file, fileAsText }

  let name: String
  let content: String
  let source: Source
  var type: String?
  var fileName: String?

  /// The file that it names; `nil` for text.
  var file: String? { source == .text ? nil : content }

  var description: String { "\(name) \(source) \(content) \(type ?? "-") \(fileName ?? "-")" }

  static func reading(_ text: String) throws(ValueError) -> FormPart {
    guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")), equals != text.startIndex else {
      throw ValueError("expected NAME=VALUE or NAME=@FILE")
    }
    let value = Array(text.utf8[equals...].dropFirst())
    let source: Source =
      switch value.first {
      case UInt8(ascii: "@"): .file
      case UInt8(ascii: "<"): .fileAsText
      default: .text
      }
    return try FormPart(String(text[..<equals]), value[(source == .text ? 0 : 1)...], source)
  }

  /// Reads `;type=TYPE` and `;filename=NAME` from the end of a value; in a text, a type that is none is
  /// a part of the text.
  private init(
    _ name: String, _ value: ArraySlice<UInt8>, _ source: Source
  ) throws(ValueError) {
    (self.name, self.source) = (name, source)
    var rest = value
    while let start = rest.indices.last(where: { Self.isAttribute(rest[$0...]) }) {
      let text = rest[start...].drop { $0 != UInt8(ascii: "=") }.dropFirst()
      if rest[start...].starts(with: ";filename=".utf8) {
        fileName = Self.unquoted(text)
      } else {
        let media = Self.unquoted(text)
        guard Self.isMediaType(media) else {
          if source == .text { break }
          throw ValueError("expected a media type such as text/plain after ;type=")
        }
        type = media
      }
      rest = rest[..<start]
    }
    content = source == .text ? String(decoding: rest, as: UTF8.self) : Self.unquoted(rest)
  }

  init(
    name: String, content: String, source: Source, type: String? = nil, fileName: String? = nil
  ) {
    (self.name, self.content, self.source) = (name, content, source)
    (self.type, self.fileName) = (type, fileName)
  }

  private static func isAttribute(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.starts(with: ";type=".utf8) || bytes.starts(with: ";filename=".utf8)
  }

  /// The text between double quotes, in which a backslash may stand before a character; other text as
  /// it is.
  private static func unquoted(_ bytes: ArraySlice<UInt8>) -> String {
    let quote = UInt8(ascii: "\"")
    guard bytes.count > 1, bytes.first == quote, bytes.last == quote else {
      return String(decoding: bytes, as: UTF8.self)
    }
    var rest = bytes.dropFirst().dropLast()
    var text: [UInt8] = []
    while let byte = rest.popFirst() {
      text.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    return String(decoding: text, as: UTF8.self)
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

  private var base: String { content.split(separator: "/").last.map(String.init) ?? content }

  /// The type that was given, or as in curl that of the file name; of a file there is always one.
  private var mediaType: String? {
    if let type { return type }
    let known = fileName.flatMap { MediaType.ofFile(named: $0) }
    return source == .file
      ? known ?? MediaType.ofFile(named: base) ?? "application/octet-stream" : known
  }

  /// Whether a text begins with a media type (RFC 9110 section 8.3.1).
  private static func isMediaType(_ text: String) -> Bool {
    let parts = text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false)
    let names = parts[0].prefix { $0 != " " }
      .split(separator: "/", omittingEmptySubsequences: false)
    return names.count == 2 && names.allSatisfy { isToken(String($0)) }
      && parts.allSatisfy { !$0.isEmpty }
  }
}

extension String {
  fileprivate var quoted: String { "\"\(escaping("\"", "\\"))\"" }
}
