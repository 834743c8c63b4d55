import HTTP

extension HTTPResponse {
  /// The length of the body that was announced, as it will be delivered; `nil` if not known.
  func length(ofHead isHead: Bool) -> Int64? {
    guard !isHead, !fields.contains("Content-Encoding") else { return nil }
    return fields["Content-Length"].flatMap { Int64($0) }
  }

  /// Whether the body is said to be JSON.
  var isJSON: Bool {
    mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false
  }
}

extension Failure {
  static func tooLarge(_ maximum: Int64) -> Failure {
    Failure(
      .failure, "response_too_large",
      "could not fetch the resource: its body is larger than \(maximum) bytes")
  }

  static let binaryBody = Failure(
    .failure, "binary_output", "could not show the body: it is binary",
    hints: ["-o FILE writes it to a file; -o - shows it anyway"])
}
