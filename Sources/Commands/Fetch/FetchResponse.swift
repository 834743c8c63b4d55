import HTTP
import SDKCore

extension Failure {
  /// An HTTP error status: exit 12 for 4xx, 13 for 5xx; some of both may pass.
  init(httpErrorOf response: HTTPResponse) {
    self.init(
      response.status >= 500 ? .serverError : .clientError, .httpStatus,
      "could not fetch \(response.url.origin)\(response.url.path): the server \(response.returned)")
    isRetryable = response.asksForLater
    pause = response.pause
    resource = .httpStatus(response.status)
  }

  static func tooLarge(_ maximum: Int64) -> Failure {
    Failure(
      .failure, .responseTooLarge,
      "could not fetch the resource: its body is larger than \(maximum) bytes")
  }

  static let binaryBody = Failure(
    .failure, .binaryOutput, "could not show the body: it is binary",
    hints: ["-o FILE writes it to a file; -o - shows it anyway"])
}

extension HTTPResponse {
  /// The announced length of the body in bytes, as it is delivered; `nil` if not known.
  ///
  /// A response to HEAD, and one of 204 or 304, has no body, whatever length it announces.
  func length(ofHead isHead: Bool = false) -> Int64? {
    guard !isHead, ![204, 304].contains(status), !fields.contains("Content-Encoding") else {
      return nil
    }
    return fields["Content-Length"].flatMap { Int64($0) }
  }

  /// The status line and the fields, in the form of HTTP/1.1.
  var head: [UInt8] {
    var head = Array("\(statusLine)\r\n".utf8)
    for field in fields { head += Array("\(field.name): ".utf8) + field.valueBytes + [0x0D, 0x0A] }
    return head + [0x0D, 0x0A]
  }
}
