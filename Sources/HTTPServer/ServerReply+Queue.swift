internal import CMicroHTTPD
import HTTP

extension ServerReply {
  /// Queues the response, which has its body here; `false` if that is not possible.
  func queue(on connection: ServerConnection) -> Bool {
    queue(body.withUnsafeBytes { chttpd_response($0.baseAddress, $0.count) }, on: connection)
  }

  /// Queues a response with the status and the fields.
  func queue(_ response: OpaquePointer?, on connection: ServerConnection) -> Bool {
    guard let response else { return false }
    for field in fields {
      // The library refuses what would end a line, which no field has.
      let value = field.valueBytes.map { CChar(bitPattern: $0) } + [0]
      _ = chttpd_add_field(response, field.name, value)
    }
    return chttpd_queue(connection.raw, UInt32(status), response) == 1
  }
}
