import CGnuTLS
import HTTPServer
import POSIX
import Synchronization

/// How the sandbox speaks TLS: its chain, or for one connection another one.
struct TLSSetup: Sendable {
  let chain: ServedChain
  /// What the fault `certificate-swapped` shows: another authority's chain for the same names.
  let swapped: ServedChain

  /// The setup of one port.
  ///
  /// That for mutual TLS asks for a certificate, and takes any or none: a client may be registered with a
  /// certificate that it signed itself. That of a gateway takes identities of the enrolment authority.
  func server(
    for sandbox: Sandbox, _ port: Int, isMutual: Bool, _ gateway: Gateway?
  ) throws -> ServerTLS {
    handshakes.withLock { list in
      list[port] = Handshake(setup: self, sandbox: sandbox, asks: isMutual, gateway: gateway)
    }
    let authorities = try gateway.map { _ in
      try sandbox.enrolment.chain.map { try $0.pem() }.joined()
    }
    return ServerTLS(
      certificates: unsafeBitCast(
        chooseCertificate as Retrieve, to: UnsafeRawPointer.self),
      opened: enableTickets,
      priorities: gateway == .required12
        ? "NORMAL:-VERS-ALL:+VERS-TLS1.2" : "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2",
      authorities: authorities)
  }
}

/// What the handshakes of a port do.
private struct Handshake: Sendable {
  let setup: TLSSetup
  let sandbox: Sandbox
  let asks: Bool
  let gateway: Gateway?

  /// The chain of the next connection.
  var chain: ServedChain {
    let isSwapped = sandbox.change { world in
      guard let fault = world.faults.take(.connection, at: nil) else { return false }
      world.counters.count(fault: fault)
      return true
    }
    return isSwapped ? setup.swapped : setup.chain
  }

  /// The alert that ends the handshake; `nil` if it goes on.
  func refusal(of session: gnutls_session_t) -> gnutls_alert_description_t? {
    guard let gateway else { return nil }
    guard let shown = ShownCertificate(of: session) else {
      if gateway == .optional { return nil }
      return gateway == .required ? GNUTLS_A_CERTIFICATE_REQUIRED : GNUTLS_A_HANDSHAKE_FAILURE
    }
    return sandbox.accepts(shown.certificate) ? nil : GNUTLS_A_CERTIFICATE_UNKNOWN
  }
}

/// By port: the library's callbacks get the session only.
private let handshakes = Mutex<[Int: Handshake]>([:])

private typealias Retrieve =
  @convention(c) (
    gnutls_session_t?, UnsafePointer<gnutls_datum_t>?, Int32,
    UnsafePointer<gnutls_pk_algorithm_t>?, Int32,
    UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?, UnsafeMutablePointer<UInt32>?,
    UnsafeMutablePointer<gnutls_privkey_t?>?
  ) -> Int32

private func handshake(of session: gnutls_session_t) -> Handshake? {
  guard let end = SocketEnd(.local, of: gnutls_transport_get_int(session)) else { return nil }
  return handshakes.withLock { $0[end.port] }
}

private func chooseCertificate(
  _ session: gnutls_session_t?, _: UnsafePointer<gnutls_datum_t>?, _: Int32,
  _: UnsafePointer<gnutls_pk_algorithm_t>?, _: Int32,
  _ certificates: UnsafeMutablePointer<UnsafeMutablePointer<gnutls_pcert_st>?>?,
  _ count: UnsafeMutablePointer<UInt32>?, _ key: UnsafeMutablePointer<gnutls_privkey_t?>?
) -> Int32 {
  guard let session, let handshake = handshake(of: session) else { return -1 }
  if handshake.asks {
    // Not "require": the library would end the connection without an alert.
    gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUEST)
    gnutls_session_set_verify_function(session, checkCertificate)
  }
  let chain = handshake.chain
  certificates?.pointee = chain.certificates
  count?.pointee = UInt32(chain.count)
  key?.pointee = chain.key.raw
  return 0
}

/// The key of session tickets, for as long as the process.
private let ticketKey = (try? allocated { gnutls_session_ticket_key_generate(&$0) }) ?? []

/// Lets a client resume its session.
private func enableTickets(_ session: UnsafeMutableRawPointer?) {
  guard let session else { return }
  ticketKey.withDatum { _ = gnutls_session_ticket_enable_server(OpaquePointer(session), &$0) }
}

private func checkCertificate(_ session: gnutls_session_t?) -> Int32 {
  guard let session, let handshake = handshake(of: session) else { return -1 }
  guard let alert = handshake.refusal(of: session) else { return 0 }
  gnutls_alert_send(session, GNUTLS_AL_FATAL, alert)
  return -1
}

extension TLSSession {
  /// Writes bytes on the session, past the library for HTTP.
  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { gnutls_record_send(raw, $0 + sent, buffer.count - sent) } ?? -1
      }
      var entries = [Poll.Entry(gnutls_transport_get_int(raw), .write)]
      if count == Int(GNUTLS_E_AGAIN), (try? Poll.wait(&entries, timeout: .seconds(5))) ?? 0 > 0 {
        continue
      }
      guard count > 0 else { return }
      sent += count
    }
  }
}
