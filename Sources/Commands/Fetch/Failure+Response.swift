import HTTP
import SDKCore

extension Failure {
  /// An HTTP error status: exit 12 for 4xx, 13 for 5xx.
  init(httpErrorOf response: HTTPResponse) {
    self.init(
      response.status >= 500 ? .serverError : .clientError, "http_\(response.status)",
      "could not fetch \(response.url.origin)\(response.url.path): the server returned "
        + "\(response.status)")
    resource = .httpStatus(response.status)
  }

  static func tooLarge(_ maximum: Int64) -> Failure {
    Failure(
      .failure, "response_too_large",
      "could not fetch the resource: its body is larger than \(maximum) bytes")
  }

  static let binaryBody = Failure(
    .failure, "binary_output", "could not show the body: it is binary",
    hints: ["-o FILE writes it to a file; -o - shows it anyway"])
}
