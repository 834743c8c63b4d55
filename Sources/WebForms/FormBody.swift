package import HTTP
import Primitives

/// The encoded content of a form: the query of a GET, or the body of a POST with its media type.
package struct FormBody: Sendable {
  private let parameters: FormParameters
  /// Whether it is sent as `multipart/form-data`.
  private let isMultipart: Bool
  /// Whether names and values are in Windows-1252.
  private let isLatin: Bool

  /// Makes the content of a form.
  package init(parameters: FormParameters, isMultipart: Bool = false, isLatin: Bool = false) {
    self.parameters = parameters
    self.isMultipart = isMultipart
    self.isLatin = isLatin
  }

  /// The encoded pairs of a query or of a body.
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
