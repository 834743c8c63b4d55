import HTTP

extension TransportError {
  static let cancelled = TransportError(.cancelled, "the transfer was cancelled")
  static let broken = TransportError(.unavailable, "libcurl failed")
}
