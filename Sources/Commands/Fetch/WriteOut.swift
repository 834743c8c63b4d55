import Arguments
import HTTP
import JSON
import POSIX

/// The format of `--write-out`, with curl's spelling.
struct WriteOut: Sendable, ArgumentValue, CustomStringConvertible {
  enum Part: Sendable, Hashable {
    case text(String)
    /// One of ``TransferReport/variables``, by name.
    case variable(String)
    case header(String)
    case json
    case headerJSON
  }

  /// The file with the format; `nil` if the format was given.
  let file: String?
  private let parts: [Part]
  let description: String

  /// Reads a format, or `@FILE`, which is read when the command runs.
  static func reading(_ text: String) throws(ValueError) -> WriteOut {
    if text.hasPrefix("@") {
      return WriteOut(file: String(text.dropFirst()), parts: [], description: text)
    }
    return WriteOut(file: nil, parts: try parts(of: text), description: text)
  }

  func load(_ input: Input) throws -> [Part] {
    guard let file else { return parts }
    let bytes = try input.read(file, "the format", limit: 1 << 16)
    let text = String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
    do {
      return try Self.parts(of: text)
    } catch {
      throw Failure.usage("the format in '\(file)' is not valid: \(error.reason)")
    }
  }

  private static func parts(of text: String) throws(ValueError) -> [Part] {
    var parts: [Part] = []
    var plain: [UInt8] = []
    var rest = Array(text.utf8)[...]
    func end() {
      if !plain.isEmpty { parts.append(.text(String(decoding: plain, as: UTF8.self))) }
      plain = []
    }
    while let byte = rest.popFirst() {
      switch (byte, rest.first) {
      case (UInt8(ascii: "%"), UInt8(ascii: "%")):
        rest.removeFirst()
        plain.append(byte)
      case (UInt8(ascii: "%"), UInt8(ascii: "{")):
        rest.removeFirst()
        end()
        parts.append(try variable(named: try braced(&rest)))
      case (UInt8(ascii: "%"), _) where rest.starts(with: "header{".utf8):
        rest.removeFirst(7)
        end()
        parts.append(.header(try braced(&rest)))
      case (UInt8(ascii: "\\"), let next?):
        rest.removeFirst()
        plain += escaped(next)
      default: plain.append(byte)
      }
    }
    end()
    return parts
  }

  private static func braced(_ rest: inout ArraySlice<UInt8>) throws(ValueError) -> String {
    guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
      throw ValueError("a '}' is missing")
    }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  private static func variable(named name: String) throws(ValueError) -> Part {
    switch name {
    case "json": return .json
    case "header_json": return .headerJSON
    default:
      guard TransferReport.variables.contains(where: { $0.name == name }) else {
        throw ValueError("there is no variable '\(name)'")
      }
      return .variable(name)
    }
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "n"): [0x0A]
    case UInt8(ascii: "r"): [0x0D]
    case UInt8(ascii: "t"): [0x09]
    default: [UInt8(ascii: "\\"), byte]
    }
  }
}

extension [WriteOut.Part] {
  /// Whether the certificates of the server have to be described.
  var needsCertificates: Bool {
    contains { [.variable("certs"), .variable("num_certs"), .json].contains($0) }
  }

  /// Whether the versions of libraries are written.
  var needsLibraries: Bool { contains(.json) }

  /// The text for a transfer; the value of a field has the bytes that the server sent.
  func text(of report: TransferReport) -> [UInt8] {
    var bytes: [UInt8] = []
    for part in self {
      switch part {
      case .text(let text): bytes += text.utf8
      case .variable(let name): bytes += report.text(of: name).utf8
      case .header(let name): bytes += report.response?.fields.first(name)?.valueBytes ?? []
      case .json: bytes += report.json.serializedBytes()
      case .headerJSON: bytes += report.headerJSON.serializedBytes()
      }
    }
    return bytes
  }
}
