internal import CMicroHTTPD

/// How a server speaks TLS: libmicrohttpd does it by GnuTLS, which only the caller links to.
// Sendable: the pointer is that of a function.
package struct ServerTLS: @unchecked Sendable {
  private let certificates: UnsafeRawPointer
  private let opened: @convention(c) (UnsafeMutableRawPointer?) -> Void
  private let priorities: String
  private let authorities: String?

  /// Makes the setup of a server.
  ///
  /// - Parameters:
  ///   - certificates: a `gnutls_certificate_retrieve_function2`, called in each handshake.
  ///   - opened: called with the `gnutls_session_t` of each connection before its handshake.
  ///   - priorities: a priority string of GnuTLS: versions and ciphers.
  ///   - authorities: certificates (PEM) whose names each client is told when it is asked for its
  ///     certificate; `nil` to ask for none.
  package init(
    certificates: UnsafeRawPointer,
    opened: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, priorities: String,
    authorities: String? = nil
  ) {
    self.opened = opened
    self.certificates = certificates
    self.priorities = priorities
    self.authorities = authorities
  }

  static func withOptions<Result>(
    of tls: ServerTLS?, _ body: (UnsafePointer<chttpd_tls>?) -> Result
  ) -> Result {
    guard let tls else { return body(nil) }
    func run(_ priorities: UnsafePointer<CChar>, _ authorities: UnsafePointer<CChar>?) -> Result {
      withUnsafePointer(
        to: chttpd_tls(
          certificates: tls.certificates, opened: tls.opened, priorities: priorities,
          authorities: authorities), body)
    }
    return tls.priorities.withCString { priorities in
      tls.authorities?.withCString { run(priorities, $0) } ?? run(priorities, nil)
    }
  }
}

/// A session of GnuTLS: valid in a call on the server's thread, and not after it.
// Sendable: only what is called on the server's thread gets one.
package struct TLSSession: @unchecked Sendable {
  /// The `gnutls_session_t`.
  package let raw: OpaquePointer
}
