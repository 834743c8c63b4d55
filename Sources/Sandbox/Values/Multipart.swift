/// The parts of a `multipart/form-data` body (RFC 7578).
struct Multipart: Sendable {
  struct Part: Sendable {
    let name: String
    let fileName: String?
    let contentType: String?
    let body: [UInt8]
  }

  let parts: [Part]

  /// Reads a body by the boundary its Content-Type names.
  init?(contentType: String, body: [UInt8]) {
    guard contentType.lowercased().hasPrefix("multipart/form-data"),
      let boundary = Self.parameter("boundary", in: contentType)
    else { return nil }
    let delimiter = Array("--\(boundary)".utf8)
    let pieces = Self.split(body, by: delimiter)
    guard pieces.count > 2, pieces.last?.starts(with: Array("--".utf8)) == true else { return nil }
    var parts: [Part] = []
    for piece in pieces.dropFirst().dropLast() {
      guard let part = Self.part(piece) else { return nil }
      parts.append(part)
    }
    self.parts = parts
  }

  private static func part(_ piece: ArraySlice<UInt8>) -> Part? {
    let blank = Array("\r\n\r\n".utf8)
    let halves = split(Array(piece), by: blank, most: 1)
    guard halves.count == 2, halves[1].suffix(2) == [13, 10] else { return nil }
    var disposition: String?
    var type: String?
    for line in String(decoding: halves[0], as: UTF8.self).split(separator: "\r\n") {
      let field = line.split(separator: ":", maxSplits: 1)
      guard field.count == 2 else { continue }
      let value = String(field[1].drop { $0 == " " })
      switch field[0].lowercased() {
      case "content-disposition": disposition = value
      case "content-type": type = value
      default: break
      }
    }
    guard let disposition, let name = parameter("name", in: disposition) else { return nil }
    return Part(
      name: name, fileName: parameter("filename", in: disposition), contentType: type,
      body: Array(halves[1].dropLast(2)))
  }

  private static func parameter(_ name: String, in value: String) -> String? {
    for piece in value.split(separator: ";").dropFirst() {
      let halves = piece.split(separator: "=", maxSplits: 1)
      guard halves.count == 2,
        halves[0].drop(while: { $0 == " " }).lowercased() == name
      else { continue }
      let text = halves[1]
      return text.hasPrefix("\"") && text.hasSuffix("\"") && text.count > 1
        ? String(text.dropFirst().dropLast()) : String(text)
    }
    return nil
  }

  private static func split(
    _ bytes: [UInt8], by delimiter: [UInt8], most: Int = .max
  ) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var start = 0
    var index = 0
    while index + delimiter.count <= bytes.count, pieces.count < most {
      if bytes[index] == delimiter[0],
        bytes[index..<index + delimiter.count].elementsEqual(delimiter)
      {
        pieces.append(bytes[start..<index])
        index += delimiter.count
        start = index
      } else {
        index += 1
      }
    }
    pieces.append(bytes[start...])
    return pieces
  }
}
