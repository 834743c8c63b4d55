/// Keeps identities by host: the profile's store, or a program's own.
public protocol IdentityStoring: Sendable {
  /// The identity for a host.
  ///
  /// - Parameters:
  ///   - host: the host, normalised.
  ///   - acceptableIssuers: the names of the authorities that the server accepts, each a DER
  ///     `Name`; none if it accepts all.
  /// - Returns: `nil` if there is none for the host and these authorities. An expired one is
  ///   returned if there is no other, so that it can be renewed.
  /// - Throws: ``SDKError`` if the identities cannot be read, or the passphrase is wrong.
  func identity(
    for host: String, acceptableIssuers: [[UInt8]]
  ) async throws(SDKError) -> Identity?

  /// The same identity as it is stored, so that nobody is asked for a passphrase under a lock; by
  /// default ``identity(for:acceptableIssuers:)``.
  ///
  /// - Throws: ``SDKError`` if the identities cannot be read.
  func sealedIdentity(
    for host: String, acceptableIssuers: [[UInt8]]
  ) async throws(SDKError) -> Identity?

  /// The identity to show at once if the host asks for one, before it has named its authorities.
  ///
  /// - Returns: `nil` if there is none that can be used now, or if a person would be asked for its
  ///   passphrase; by default always, so that ``identity(for:acceptableIssuers:)`` is called when the
  ///   host has asked.
  /// - Throws: ``SDKError`` if the identities cannot be read.
  func readyIdentity(for host: String) async throws(SDKError) -> Identity?

  /// The names of all identities for a host, for errors; none by default.
  func names(for host: String) -> [IdentityName]

  /// Stores an identity in place of the one of the same name.
  func store(_ identity: Identity, for host: String) async throws(SDKError)

  /// Takes an identity that the host has refused out of use, for that host at least.
  ///
  /// What a person imported or made is kept, so that ``restore(for:)`` can bring it back.
  func delete(_ identity: Identity, for host: String) async throws(SDKError)

  /// Brings back what was taken out of use for a host and kept, because the host has refused the
  /// one in its place too. Does nothing by default.
  func restore(for host: String) async throws(SDKError)

  /// The name under which a new identity replaces nothing that a person imported or made: by default the same name.
  func freeName(_ name: IdentityName) async throws(SDKError) -> IdentityName
}

extension IdentityStoring {
  /// Returns the identity with its key.
  ///
  /// - Throws: as ``identity(for:acceptableIssuers:)``.
  public func sealedIdentity(
    for host: String, acceptableIssuers: [[UInt8]]
  ) async throws(SDKError) -> Identity? {
    try await identity(for: host, acceptableIssuers: acceptableIssuers)
  }

  /// Returns `nil`: the host has to ask first.
  public func readyIdentity(for host: String) async -> Identity? { nil }

  /// Returns none.
  public func names(for host: String) -> [IdentityName] { [] }

  /// Does nothing: ``delete(_:for:)`` keeps nothing.
  public func restore(for host: String) async {}

  /// The same name.
  public func freeName(_ name: IdentityName) async -> IdentityName { name }
}

/// Which identity resource requests show to servers that ask for one.
public enum IdentityChoice: Sendable, Hashable {
  /// The one that is stored for the host; if there is none, one is obtained, if the profile says how.
  case automatic
  /// This one, for whatever server a request is for.
  case named(IdentityName)
  /// None, and none is obtained.
  case none
}
