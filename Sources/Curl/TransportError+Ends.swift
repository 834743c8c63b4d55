import HTTP

extension TransportError {
  static let cancelled = TransportError(.cancelled, "the transfer was cancelled")
  static let shutDown = TransportError(.cancelled, "the transport was shut down")
  static let broken = TransportError(.unavailable, "libcurl failed")
}
