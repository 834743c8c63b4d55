import CMicroHTTPD
package import HTTP

/// The head of a request that a server has received.
package struct ReceivedRequest: Sendable {
  /// The method as it was sent.
  package var method: String
  /// The target as it was sent, with the query.
  package var target: String
  /// `HTTP/1.1` or `HTTP/1.0`.
  package var version: String
  package var fields: HTTPFields
  /// Whether the head can be read in one way only, as far as its lines are concerned.
  package var isPlain: Bool
  /// The session of a connection with TLS, for who decides about the request.
  package var session: TLSSession?

  package init(
    _ method: String, _ target: String, version: String = "HTTP/1.1", fields: HTTPFields = [],
    isPlain: Bool = true
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    self.isPlain = isPlain
  }

  init(
    _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ target: String,
    _ version: UnsafePointer<CChar>
  ) {
    let isPlain = chttpd_is_plain(connection, method, version, target.utf8.count) == 1
    self.init(
      String(cString: method), target, version: String(cString: version), isPlain: isPlain)
    session = chttpd_tls_session(connection).map { TLSSession(raw: OpaquePointer($0)) }
    withUnsafeMutablePointer(to: &self) { chttpd_fields(connection, readField, $0) }
  }

  fileprivate mutating func append(_ field: HTTPField?) {
    if let field { fields.append(field) } else { isPlain = false }
  }
}

package struct ServerReply: Sendable {
  package var status: Int
  package var fields: HTTPFields
  package var body: [UInt8]

  package init(_ status: Int, _ fields: HTTPFields = [], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
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
