/// Obtains identities: an enrolment service of the profile, or a program's own.
public protocol IdentityObtaining: Sendable {
  /// The word for the service: ``Identity/Origin/obtained(by:)`` has it.
  var name: String { get }

  /// Refuses servers that have no pins, before a person is asked for anything; makes no connection.
  ///
  /// Does nothing by default.
  ///
  /// - Throws: ``SDKError/Code/pin``.
  func requirePins() throws(SDKError)

  /// Opens what ``obtain(_:)`` will need, before a lock is taken: a person may be asked for something.
  ///
  /// Does nothing by default.
  ///
  /// - Parameter current: the identity that will be renewed; `nil` for a new one.
  /// - Throws: ``SDKError`` if it cannot be opened.
  func prepare(renewing current: Identity?) async throws(SDKError)

  /// Obtains an identity.
  ///
  /// - Throws: ``SDKError``, which also those who wait for the same identity get.
  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity

  /// Tells the service that an identity is no longer used: the one in its place was checked and stored.
  ///
  /// Does nothing by default.
  ///
  /// - Throws: ``SDKError`` if the service cannot be told.
  func retire(_ identity: Identity) async throws(SDKError)
}

extension IdentityObtaining {
  /// Does nothing.
  public func requirePins() {}

  /// Does nothing.
  public func prepare(renewing current: Identity?) async {}

  /// Does nothing.
  public func retire(_ identity: Identity) async {}
}

/// A request to an enrolment service.
public struct IdentityRequest: Sendable {
  /// The host that the identity is for, normalised.
  public let host: String
  /// The name that the identity gets.
  public let name: IdentityName
  /// The hosts that it will be shown to.
  public let hosts: [IdentityHost]
  /// The names of the authorities that the server accepts, each a DER `Name`; none if it accepts
  /// all, and if no server asked.
  public let acceptableIssuers: [[UInt8]]
  /// The identity that is renewed; its key is not sealed.
  public let current: Identity?

  /// Makes a request for a host: the identity has its name and is shown to it only.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if the text is not a host.
  public init(
    for host: String, acceptableIssuers: [[UInt8]] = [], renewing current: Identity? = nil
  ) throws(SDKError) {
    let place = try IdentityHost(host)
    let name: IdentityName
    if let current { name = current.name } else { name = try IdentityName(for: place) }
    self.init(
      name: name, hosts: current?.hosts ?? [place],
      host: place.host, acceptableIssuers: acceptableIssuers, renewing: current)
  }

  /// Makes a request with these values.
  public init(
    name: IdentityName, hosts: [IdentityHost], host: String, acceptableIssuers: [[UInt8]] = [],
    renewing current: Identity? = nil
  ) {
    self.host = host
    self.name = name
    self.hosts = hosts
    self.acceptableIssuers = acceptableIssuers
    self.current = current
  }
}
