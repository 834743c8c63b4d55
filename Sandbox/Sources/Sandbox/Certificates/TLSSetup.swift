import NIOCore
import NIOSSL

/// How the sandbox speaks TLS: its chain, or for one connection another one.
struct TLSSetup: Sendable {
  let chain: ServerChain
  /// What the fault `certificate-swapped` shows: another authority's chain for the same names.
  let swapped: ServerChain

  func configuration(for sandbox: Sandbox) throws -> TLSConfiguration {
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
    return configuration
  }
}
