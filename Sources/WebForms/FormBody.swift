package import HTTP
import Primitives

/// The encoded content of a form: the query of a GET, or the body of a POST with its media type.
package struct FormBody: Sendable {
  private let parameters: FormParameters
  private let isMultipart: Bool
  /// Whether names and values are in Windows-1252.
  private let isLatin: Bool

  package init(parameters: FormParameters, isMultipart: Bool = false, isLatin: Bool = false) {
    self.parameters = parameters
    self.isMultipart = isMultipart
    self.isLatin = isLatin
  }

  package var encoded: String {
    parameters.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
  }

  /// The request of a POST; the boundary is for `multipart/form-data`, and occurs in no value.
  package func request(to url: HTTPURL, boundary: String) -> HTTPRequest {
    guard isMultipart else {
      let type = HTTPField(known: "Content-Type", "application/x-www-form-urlencoded")
      return HTTPRequest(.post, url, fields: [type], body: .bytes(Array(encoded.utf8)))
    }
    let parts = parameters.map { pair in
      MultipartBody.Part(name: pair.name, data: .bytes(bytes(pair.value.withNetworkLines)))
    }
    let body = MultipartBody(parts, boundary: boundary, encoding: bytes)
    let type = HTTPField(known: "Content-Type", "multipart/form-data; boundary=\(boundary)")
    return HTTPRequest(.post, url, fields: [type], body: .bytes(body.bytes ?? []))
  }

  private func bytes(_ text: String) -> [UInt8] {
    isLatin ? PageEncoding.latin(text) : Array(text.utf8)
  }

  private func encode(_ text: String) -> String {
    FormParameters.encode(bytes(text.withNetworkLines))
  }
}

extension String {
  /// The text with CR LF at the end of each line, as forms have it.
  fileprivate var withNetworkLines: String {
    var text = ""
    var previous: Unicode.Scalar = " "
    for scalar in unicodeScalars {
      if scalar == "\n", previous != "\r" { text += "\r" }
      if previous == "\r", scalar != "\n" { text += "\n" }
      text.unicodeScalars.append(scalar)
      previous = scalar
    }
    return previous == "\r" ? text + "\n" : text
  }
}

/// The encoding of a page: UTF-8, or Windows-1252, which browsers also use for ISO 8859-1 and ASCII.
package enum PageEncoding {
  /// Whether a page is in Windows-1252, as the response says, or else the page itself.
  static func isLatin(_ page: [UInt8], _ charset: String?) -> Bool {
    if let charset { return isLatin(charset) }
    var tags = HTMLTags(Array(page.prefix(1024)))
    while let token = tags.next() {
      guard case .start("meta", let attributes) = token else { continue }
      if let charset = attributes["charset"] { return isLatin(charset) }
      if attributes["http-equiv"]?.asciiLowercased == "content-type",
        let charset = self.charset(of: attributes["content"])
      {
        return isLatin(charset)
      }
    }
    return false
  }

  /// Whether a name stands for Windows-1252 on the web.
  static func isLatin(_ charset: String) -> Bool {
    [
      "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "windows-1252", "cp1252", "ascii",
      "us-ascii",
    ].contains(charset.asciiLowercased.trimmingBlanks)
  }

  /// The parameter `charset` of a media type.
  package static func charset(of contentType: String?) -> String? {
    for part in (contentType ?? "").split(separator: ";").dropFirst() {
      let halves = part.split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks }
      guard halves.count == 2, halves[0].asciiLowercased == "charset" else { continue }
      return String(halves[1].filter { $0 != "\"" && $0 != "'" })
    }
    return nil
  }

  /// The text of bytes in Windows-1252, in UTF-8.
  static func utf8(ofLatin bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes { text += String(scalar(byte)).utf8 }
    return text
  }

  /// A text in Windows-1252; a character that it does not have becomes a reference, as in browsers.
  static func latin(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = byte(scalar) {
        bytes.append(byte)
      } else {
        bytes += "&#\(scalar.value);".utf8
      }
    }
    return bytes
  }

  private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte), let scalar = Unicode.Scalar(high[Int(byte) - 0x80]) else {
      return Unicode.Scalar(byte)
    }
    return scalar
  }

  private static func byte(_ scalar: Unicode.Scalar) -> UInt8? {
    if scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) { return UInt8(scalar.value) }
    return high.firstIndex(of: UInt16(truncatingIfNeeded: scalar.value))
      .flatMap { scalar.value < 0x10000 ? UInt8($0 + 0x80) : nil }
  }

  /// The characters from 0x80 to 0x9F.
  private static var high: [UInt16] {
    [
      0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
      0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
      0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ]
  }
}
