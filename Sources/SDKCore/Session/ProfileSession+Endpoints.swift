import HTTP
import OAuth
public import Pinning

extension ProfileSession {
  /// The servers that the profile needs: those of its settings, and those that the metadata of its issuer names.
  ///
  /// - Parameter pins: the pins for the request of the metadata; `nil` for those of the profile.
  /// - Returns: the servers, those of the settings first; and the error if the metadata could not be read.
  public func neededEndpoints(
    trusting pins: PinSets? = nil
  ) async -> (endpoints: [PinEndpoint], error: SDKError?) {
    let own = profile.pinEndpoints
    guard let issuer = profile.issuer, profile.usesDiscovery else { return (own, nil) }
    var client = environment.serverClient()
    if let pins {
      let transport = Connections(
        profile, pins, opening.options, now: opening.now, over: opening.network
      ).transport
      client = ServerClient(
        transport: transport, timeout: opening.limits.exchange, clock: environment.clock.server)
    }
    let discovery = Discovery(client)
    do {
      var metadata = try await discovery.metadata(of: issuer)
      if !metadata.offers([.registration, .revocation]) {
        metadata = await discovery.completed(metadata)
      }
      let urls = ServerMetadata.Endpoint.allCases.flatMap { metadata.urls(of: $0) }
      let named = PinEndpoint.each(of: urls.compactMap { try? HTTPURL($0) })
      return (own + named.filter { !own.contains($0) }, nil)
    } catch {
      return (own, SDKError(error, "could not read the metadata of \(issuer)"))
    }
  }
}
