import CCurl

/// A TLS connection, while one of its callbacks runs.
struct TLSConnection {
  let raw: UnsafeMutableRawPointer  // <SSL>

  /// The host that the handshake asked for (SNI); `nil` for an address.
  var serverName: String? { ccurl_server_name(raw).map { String(cString: $0) } }

  /// Whether there is a client certificate to show.
  var hasCertificate: Bool { ccurl_has_certificate(raw) == 1 }

  /// The names of the authorities whose client certificates the server accepts, in DER.
  var issuers: [[UInt8]] {
    (0..<min(Int(ccurl_issuer_count(raw)), Self.maximumIssuerCount)).compactMap { position in
      let length = Int(ccurl_issuer_der(raw, Int32(position), nil))
      guard length > 0 else { return nil }
      return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        count = max(0, Int(ccurl_issuer_der(raw, Int32(position), buffer.baseAddress)))
      }
    }
  }

  /// A limit for the list: a server names the authorities of its clients, which are few.
  private static let maximumIssuerCount = 1000
}

/// A server's request for a client certificate.
struct IdentityRequest: Sendable, Hashable {
  /// The names of the authorities whose certificates it accepts, in DER; empty for any.
  let issuers: [[UInt8]]
  /// Whether the handshake was ended for it.
  let endedHandshake: Bool
}
