import HTTP

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
