import HTTP
import OpenSSL
import POSIX
import Primitives

/// The identities of a profile: imported, exported, requested, checked and renewed.
public struct IdentityService: Sendable {
  let environment: SessionEnvironment
  let identityStore: IdentityStore
  /// Takes what a person should know.
  let notice: (@Sendable (SessionNotice) -> Void)?
  /// The caller's service, or that of the profile; `nil` if there is none.
  let obtainer: (any IdentityObtaining)?
  /// Asks for the passcode of a sealed client, before a lock is taken.
  let openClient: @Sendable () async throws(SDKError) -> Void
  /// Makes a new key and self-signed certificate of the client, which the server gets first (RFC 7592);
  /// a passphrase seals the key.
  let renewClientCertificate: @Sendable (_ passphrase: [UInt8]?) async throws(SDKError) -> Void
  var profile: Profile { environment.profile }

  /// The identities on disk; `unlock` asks for the passphrase of a sealed one that is needed, in
  /// place of what the session's options say.
  public func store(unlock: IdentityStore.Unlock? = nil) -> IdentityStore {
    var store = identityStore
    store.unlock = unlock ?? store.unlock
    return store
  }

  /// The hosts that an identity is for if nobody names any: that of the profile's resources.
  var defaultHosts: [IdentityHost] {
    get throws(SDKError) {
      guard let url = profile.resourceURL else { return [] }
      return [try IdentityHost(url.host)]
    }
  }
}
