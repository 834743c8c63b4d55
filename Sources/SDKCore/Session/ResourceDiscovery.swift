public import HTTP
public import OAuth
import POSIX
import Pinning

/// Finds the authorization servers of a resource, without a profile and without pins (RFC 9728).
public struct ResourceDiscovery: Sendable {
  private let serverClient: ServerClient

  /// Uses the trusted authorities and time limits of the options.
  public init(options: SessionOptions = SessionOptions()) { self.init(options, over: .curl) }

  package init(_ options: SessionOptions, over network: Network) {
    serverClient = ServerClient(options, now: { SystemClock.now() }, over: network)
  }

  /// Asks a resource server for its metadata; no secret is sent.
  ///
  /// - Throws: ``SDKError``: `unsupported` if it has none, or they name no server; `untrusted` if they are of another
  ///   resource.
  public func find(_ resource: HTTPURL) async throws(SDKError) -> ProtectedResource {
    try await attempt("could not find the authorization server of \(resource)") {
      try await Discovery(serverClient).protectedResource(resource)
    }
  }
}
