import HummingbirdTLS
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// How the sandbox speaks TLS: its chain, or for one connection another one.
struct TLSSetup: Sendable {
  let chain: ServerChain
  /// What the fault `certificate-swapped` shows: another authority's chain for the same names.
  let swapped: ServerChain

  /// The setup of one port: the one for mutual TLS asks for a certificate, and takes any or none.
  ///
  /// Who is let in is not the handshake's business: a client may be registered with a certificate
  /// that it signed itself.
  func configuration(
    for sandbox: Sandbox, asksForCertificate: Bool
  ) throws -> TLSChannelConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try chain.served(), privateKey: try chain.privateKey())
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    var override = NIOSSLContextConfigurationOverride()
    override.certificateChain = try swapped.served()
    override.privateKey = try swapped.privateKey()
    configuration.sslContextCallback = { [override] _, promise in
      let isSwapped = sandbox.change { world in
        guard let fault = world.faults.take(.connection, at: nil) else { return false }
        world.counters.count(fault: fault)
        return true
      }
      promise.succeed(isSwapped ? override : .noChanges)
    }
    guard asksForCertificate else { return .init(tlsConfiguration: configuration) }
    configuration.certificateVerification = .optionalVerification
    configuration.trustRoots = .certificates([])
    return .init(tlsConfiguration: configuration) { _, promise in
      promise.succeed(.certificateVerified)
    }
  }

  /// The setup of a port that accepts identities of the enrolment authority, until they are revoked.
  func configuration(for sandbox: Sandbox, _ gateway: Gateway) throws -> TLSChannelConfiguration {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try chain.served(), privateKey: try chain.privateKey())
    configuration.minimumTLSVersion = .tlsv12
    if gateway == .required12 { configuration.maximumTLSVersion = .tlsv12 }
    configuration.applicationProtocols = ["http/1.1"]
    configuration.certificateVerification =
      gateway == .optional ? .optionalVerification : .noHostnameVerification
    let roots = try sandbox.enrolment.chain.map { certificate in
      try NIOSSLCertificate(bytes: try ShownCertificate(certificate).der, format: .der)
    }
    configuration.trustRoots = .certificates(roots)
    configuration.sendCANameList = true
    return .init(tlsConfiguration: configuration) { shown, promise in
      let isAccepted = shown.first.flatMap { try? $0.toDERBytes() }
        .flatMap { try? Certificate(derEncoded: $0) }
        .map { sandbox.accepts($0) }
      promise.succeed(isAccepted == true ? .certificateVerified : .failed)
    }
  }
}
