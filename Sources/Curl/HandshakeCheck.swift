import CCurl
import HTTP
import OpenSSL
import POSIX
import Pinning
import Primitives

/// TLS checks of one transfer, and their results.
///
/// libcrypto checks the chain first; then the pins are compared with the path
/// that it validated, never with what the server sent. Used on the loop's thread
/// until the transfer has ended.
// Sendable: only the loop's thread writes, and nobody else reads before the end of the transfer.
final class HandshakeCheck: @unchecked Sendable {
  enum Rule {
    /// A pinned key in the validated path.
    case pins(PinRule)
    /// The chain, which is kept to be shown.
    case probe
  }

  /// The proxy in front of the host, and the pins of an HTTPS proxy; `nil` if it has none.
  struct ProxyRule {
    let proxy: Proxy
    let pins: PinRule?
  }

  private let host: String
  private let rule: Rule
  /// Whether no request follows.
  var isProbe: Bool { if case .probe = rule { true } else { false } }
  let proxy: ProxyRule?
  private let stopsForIdentity: Bool
  /// The client certificate and its issuers, as PEM; `nil` for none.
  private let clientChain: [UInt8]?
  /// The client certificate whose key is in a security token; `nil` for none.
  let securityTokenCertificate: SecurityTokenCertificate?
  /// Authorities that are trusted besides those of libcurl's options.
  let extraCAFile: String?

  /// The sockets of the transfer's attempts to connect, the last one last; some may be closed.
  var sockets: [Int32] = []

  // The results, for the error or the metrics of the transfer.

  /// Why libcrypto refused the chain.
  private(set) var fault: String?
  /// Whether the chain leads to no trusted authority.
  private(set) var isUntrusted = false
  /// The pins, of the host or its proxy, for which the handshake was refused.
  private(set) var refusal: PinVerdict?
  /// The server's request for a client certificate; `nil` if there was none.
  private(set) var identityRequest: IdentityRequest?
  /// The last alert of the server (RFC 8446 section 6), except the end of the connection.
  private(set) var alert: UInt8?
  /// Whether the server has announced the end of the connection (`close_notify`).
  private(set) var isEndAnnounced = false
  /// Whether the server asked for a renegotiation of TLS 1.2, which is refused.
  private(set) var hasRefusedRenegotiation = false
  /// What the pins say about the host; `nil` without a handshake.
  private(set) var verdict: PinVerdict?
  private(set) var leaf: Certificate?
  /// Protocol and cipher of the handshake with the host; `nil` without a handshake.
  private(set) var agreement: Handshake.Agreement?
  /// The socket's ends in the handshake: libcurl 8 forgets them if it fails.
  private(set) var local: SocketEnd?, remote: SocketEnd?
  private var served: [Certificate] = []
  /// The OCSP response that the host has stapled, in DER; `nil` for none.
  private var staple: [UInt8]?
  private var validated: [Certificate] = []

  /// `stopsForIdentity` ends the handshake if the server asks for a client certificate and none is there.
  init(
    host: String, rule: Rule, proxy: ProxyRule? = nil, stopsForIdentity: Bool = false,
    clientChain: [UInt8]? = nil, securityTokenCertificate: SecurityTokenCertificate? = nil,
    extraCAFile: String? = nil
  ) {
    self.host = host
    self.rule = rule
    self.proxy = proxy
    self.stopsForIdentity = stopsForIdentity
    self.clientChain = clientChain
    self.securityTokenCertificate = securityTokenCertificate
    self.extraCAFile = extraCAFile
  }

  /// The pin check of an open connection, which an earlier transfer has made; `nil` if it may have
  /// failed under the policy to report.
  var verdictOfOpenConnection: PinOutcome? {
    if case .pins(let pins) = rule, pins.isEnforced { .matched } else { nil }
  }

  /// The chain for a probe; `nil` if the server showed no certificate.
  func chain(verificationError: String?) -> ServedChain? {
    guard !served.isEmpty else { return nil }
    return ServedChain(
      served: served, validated: verificationError == nil ? validated : [],
      verificationError: verificationError, lacksAuthority: isUntrusted, staple: staple)
  }

  /// Installs this check in a TLS context; `false` if libssl did not accept it.
  func install(in context: UnsafeMutableRawPointer) -> Bool {
    // The context outlives the transfer when its connection is kept, so it owns the check.
    let box = Unmanaged.passRetained(self).toOpaque()
    let isGuarded =
      ccurl_tls_guard(
        context, box, verifyChain, identityRequested, alertReceived, contextFreed) == 1
    guard isProbe else { return isGuarded }
    return isGuarded && ccurl_request_staple(context, stapleReceived) == 1
  }

  /// Keeps the OCSP response of the host, which is for its certificate only.
  fileprivate func note(staple bytes: UnsafeBufferPointer<UInt8>, _ connection: TLSConnection) {
    if isHost(connection.serverName) { staple = Array(bytes) }
  }

  /// Notes that the server requested a client certificate; returns whether the handshake continues.
  fileprivate func noteIdentityRequest(_ connection: TLSConnection) -> Bool {
    // A request of the proxy is ignored: identities are for the host only.
    guard isHost(connection.serverName) else { return true }
    if let securityTokenCertificate, !securityTokenCertificate.show(on: connection) { return false }
    let issuers = connection.issuers
    let stops = stopsForIdentity && !(connection.hasCertificate && isAccepted(by: issuers))
    identityRequest = IdentityRequest(issuers: issuers, endedHandshake: stops)
    return !stops
  }

  /// Whether the client certificate is of one of these authorities.
  private func isAccepted(by issuers: [[UInt8]]) -> Bool {
    guard let clientChain, let chain = try? Certificate.list(pem: clientChain) else { return true }
    return chain.isAccepted(by: issuers)
  }

  fileprivate func noteAlert(_ alert: UInt8, isSent: Bool, _ connection: TLSConnection) {
    guard isHost(connection.serverName) else { return }
    if isSent {
      if alert == Self.noRenegotiation { hasRefusedRenegotiation = true }
    } else if alert == 0 {
      isEndAnnounced = true
    } else {
      self.alert = alert
    }
  }

  /// The alert `no_renegotiation` (RFC 5246 section 7.2.2).
  private static let noRenegotiation: UInt8 = 100

  /// Whether the peer of a handshake that asked for that name is the host, not a proxy in front of it.
  ///
  /// libcurl sends the name of every host that has one, and none for an address. A proxy that cannot
  /// be told from the host counts as the host, and needs its pins. Without an HTTPS proxy, every
  /// handshake is with the host.
  private func isHost(_ serverName: String?) -> Bool {
    guard proxy?.proxy.usesTLS == true else { return true }
    return serverName?.asciiLowercased == Self.serverName(of: host)
  }

  /// The name that libcurl sends for a host; `nil` for an address.
  static func serverName(of host: String) -> String? {
    if HostName.isAddress(host) { return nil }
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  fileprivate func verify(_ handshake: Handshake) -> Bool {
    fault = nil
    if let socket = sockets.last(where: { SocketEnd(.remote, of: $0) != nil }) {
      (local, remote) = (SocketEnd(.local, of: socket), SocketEnd(.remote, of: socket))
    }
    let served = handshake.certificates(CCURL_SERVED, limit: 1).first
    let isHost = isHost(handshake.serverName)
    var isValid = handshake.verifiesChain()
    if isValid, served?.namesHosts != true {
      // libcurl would compare the common name.
      let owner = isHost ? "" : " of the proxy"
      fault = "the certificate\(owner) has no subject alternative name of a host (RFC 9525)"
      handshake.refuse()
      isValid = false
    }
    guard isHost else { return isValid && (proxy?.pins.map { accepts(handshake, $0) } ?? true) }
    leaf = served
    agreement = handshake.agreement
    if case .probe = rule { self.served = handshake.certificates(CCURL_SERVED) }
    guard isValid else {
      fault = fault ?? handshake.fault
      isUntrusted = handshake.isUntrusted
      return false
    }
    switch rule {
    case .probe: validated = handshake.certificates(CCURL_VALIDATED)
    case .pins(let pins): return accepts(handshake, pins)
    }
    return true
  }

  /// Compares the validated path with the pins of its server; keeps and reports what they say.
  private func accepts(_ handshake: Handshake, _ pins: PinRule) -> Bool {
    let path = handshake.certificates(CCURL_VALIDATED)
    let verdict = pins.verdict(of: path)
    if pins.set?.pattern.isProxy != true { self.verdict = verdict }
    if case .matched = verdict { return true }
    pins.report(verdict, of: path)
    guard pins.isEnforced else { return true }
    refusal = verdict
    handshake.refuse()
    return false
  }
}

private func verifyChain(
  _ handshake: UnsafeMutableRawPointer?, _ box: UnsafeMutableRawPointer?
) -> Int32 {
  guard let handshake, let box else { return 0 }
  let check = Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue()
  return check.verify(Handshake(raw: handshake)) ? 1 : 0
}

private func identityRequested(
  _ connection: UnsafeMutableRawPointer?, _ box: UnsafeMutableRawPointer?
) -> Int32 {
  guard let connection, let box else { return 0 }
  let check = Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue()
  return check.noteIdentityRequest(TLSConnection(raw: connection)) ? 1 : 0
}

private func alertReceived(
  _ connection: UnsafeMutableRawPointer?, _ alert: Int32, _ isSent: Int32,
  _ box: UnsafeMutableRawPointer?
) {
  guard let connection, let box else { return }
  Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue().noteAlert(
    UInt8(truncatingIfNeeded: alert), isSent: isSent != 0, TLSConnection(raw: connection))
}

private func stapleReceived(
  _ connection: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<UInt8>?, _ count: Int,
  _ box: UnsafeMutableRawPointer?
) {
  guard let connection, let box else { return }
  Unmanaged<HandshakeCheck>.fromOpaque(box).takeUnretainedValue().note(
    staple: UnsafeBufferPointer(start: bytes, count: count), TLSConnection(raw: connection))
}

private func contextFreed(_ box: UnsafeMutableRawPointer?) {
  guard let box else { return }
  Unmanaged<HandshakeCheck>.fromOpaque(box).release()
}
