import Primitives

/// The media types of files that are sent.
enum MediaType {
  /// The media types that curl knows by the end of a name, and that of JSON; `nil` for any other.
  static func ofFile(named name: String) -> String? {
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
