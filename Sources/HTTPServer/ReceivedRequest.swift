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
  /// The size of the head in bytes.
  package var size: Int
  /// The session of a connection with TLS, for who decides about the request.
  package var session: TLSSession?

  package init(
    _ method: String, _ target: String, version: String = "HTTP/1.1", fields: HTTPFields = [],
    isPlain: Bool = true, size: Int = 0
  ) {
    self.method = method
    self.target = target
    self.version = version
    self.fields = fields
    self.isPlain = isPlain
    self.size = size
  }
}

/// A whole response of a server.
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
