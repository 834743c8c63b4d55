import HummingbirdTLS
import NIOCore
import NIOSSL

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
}
