import HTTP
import JSON
import Primitives

enum MediaType {
  /// The media type of a body: of the file's name, else JSON if it is an object or an array.
  ///
  /// A pipe is not looked into.
  static func of(_ body: HTTPBody?, file name: String?) -> String? {
    if let type = name.flatMap({ ofFile(named: $0) }) { return type }
    let bytes: [UInt8]
    switch body {
    case .bytes(let text)?: bytes = text
    case .stream(let source as BodySource, let length?)? where length <= 1 << 24:
      bytes = source.content(Int(length)) ?? []
    default: return nil
    }
    guard let first = bytes.first(where: { !$0.isSpace }), "{[".utf8.contains(first),
      (try? JSON(parsing: bytes)) != nil
    else { return nil }
    return "application/json"
  }

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
