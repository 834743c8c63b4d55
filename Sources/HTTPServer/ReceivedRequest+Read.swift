internal import CMicroHTTPD
import HTTP

extension ReceivedRequest {
  /// Reads the head of the request on a connection.
  init(
    _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ target: String,
    _ version: UnsafePointer<CChar>
  ) {
    let isPlain = chttpd_is_plain(connection, method, version, target.utf8.count) == 1
    self.init(
      String(cString: method), target, version: String(cString: version), isPlain: isPlain,
      size: chttpd_head_size(connection))
    session = chttpd_tls_session(connection).map { TLSSession(raw: OpaquePointer($0)) }
    withUnsafeMutablePointer(to: &self) { chttpd_fields(connection, readField, $0) }
  }

  fileprivate mutating func append(_ field: HTTPField?) {
    if let field { fields.append(field) } else { isPlain = false }
  }
}

private func readField(
  _ box: UnsafeMutableRawPointer?, _: Int32, _ name: UnsafePointer<CChar>?, _ nameSize: Int,
  _ value: UnsafePointer<CChar>?, _ valueSize: Int
) -> Int32 {
  box?.assumingMemoryBound(to: ReceivedRequest.self).pointee.append(
    HTTPField(
      receivedName: UnsafeRawBufferPointer(start: name, count: nameSize),
      value: UnsafeRawBufferPointer(start: value, count: valueSize)))
  return 1
}
