import HTTP

extension HTTPResponse {
  /// The announced length of the body in bytes, as it is delivered; `nil` if not known.
  ///
  /// A response to HEAD has no body, whatever length it announces.
  func length(ofHead isHead: Bool = false) -> Int64? {
    guard !isHead, !fields.contains("Content-Encoding") else { return nil }
    return fields["Content-Length"].flatMap { Int64($0) }
  }

  /// Whether the media type is JSON (RFC 8259), or ends with `+json` (RFC 6839).
  var isJSON: Bool {
    mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? false
  }
}
