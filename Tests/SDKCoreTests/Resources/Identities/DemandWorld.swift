import CoreTestSupport

@testable import SDKCore

/// A session with an observer of identities over a store and a service that note what happens.
final class DemandWorld: Sendable {
  static let asked = FakeTransport.Response.failure(
    TransportError(
      .clientCertificateRequired, "the server requires a client certificate",
      certificateRefusal: ClientCertificateRefusal(.requested)))
  static let refused = FakeTransport.Response.failure(
    TransportError(
      .clientCertificateRequired, "the server refused the client certificate",
      certificateRefusal: ClientCertificateRefusal(.alert(44))))
  static let closed = FakeTransport.Response.failure(
    TransportError(
      .clientCertificateRequired, "the server refused the client certificate",
      certificateRefusal: ClientCertificateRefusal(.closed)))

  private let world: World
  let store = NotingStore()
  let obtainer = NotingObtainer()
  let observer: IdentityObserver
  private let session: ProfileSession

  init(
    _ settings: JSONObject = [:], hasObtainer: Bool = true, handlesAuthentication: Bool = false
  ) throws {
    world = try World(settings)
    session = try world.session()
    let (store, transport) = (store, world.transport)
    var handler: IdentityObserver.AuthenticationHandler?
    if handlesAuthentication {
      handler = { (identity, host) in
        let name = DemandNames.common(identity)
        store.note("handler \(name) \(host) \(transport.sent.count) sent")
      }
    }
    observer = IdentityObserver(
      session, store: store, obtainer: hasObtainer ? obtainer : nil, authenticationHandler: handler)
    session.resources.register(observer)
  }

  var transport: FakeTransport { world.transport }
  var name: ProfileName { world.name }
  var location: StoreLocation { world.location }

  func respond(_ responses: FakeTransport.Response...) {
    transport.respond("https://api.test/v1/x", responses)
  }

  /// The server asks every request without an identity.
  func asksUntilShown() {
    transport.respond("https://api.test/v1/x", .status(200))
    transport.setDefaultCheck { $0.certificate == nil ? Self.asked : nil }
  }

  func fetch(
    _ method: String = "GET", _ path: String = "/x", body: HTTPBody? = nil
  ) async throws(SDKError)
    -> HTTPResponse
  {
    try await DeviceClient(session).sendUnauthenticated(
      ResourceRequest(method, path, body: body))
  }

  /// The names of the identities that the requests showed, in order.
  var shown: [String?] {
    transport.sent.map { $0.certificate.map { Self.name(of: $0) } }
  }

  func identity(_ name: String) throws -> Identity { try Self.identity(name) }

  /// An identity whose certificate has its name.
  static func identity(_ name: String, key: PrivateKey? = nil) throws -> Identity {
    let own = try PrivateKey.generate(.ec(.p256))
    let certificate = try Certificate.selfSigned(
      by: own, commonName: name, from: World.now - 10, to: World.now + 1000)
    return Identity(
      name: try IdentityName(name), hosts: [try IdentityHost("api.test")],
      chain: try ClientCertificateChain(pem: Array(certificate.pem.utf8)),
      key: .pem((key ?? own).pem), origin: .obtained(by: "test"),
      obtainedAt: World.now)
  }

  private static func name(of certificate: ClientCertificate) -> String {
    (try? Certificate.list(pem: certificate.chain).first?.commonName) ?? "?"
  }
}

/// A body of one byte, which counts how often it is rewound.
final class RewindSource: HTTPBodySource {
  private let canRewind: Bool
  private let count = Mutex(0)

  init(canRewind: Bool) { self.canRewind = canRewind }

  var rewinds: Int { count.withLock { $0 } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? { 0 }

  func rewind() -> Bool {
    count.withLock { $0 += 1 }
    return canRewind
  }
}

/// A store in memory that notes its calls.
final class NotingStore: IdentityStoring {
  private let state = Mutex<(identity: Identity?, events: [String])>((nil, []))
  private let ready = Mutex(false)
  private let keeps = Mutex(false)
  private let refusal = Mutex<SDKError?>(nil)

  private let all = Mutex<[IdentityName]>([])

  /// The identities for a host, also those that it does not accept.
  var names: [IdentityName] {
    get { all.withLock { $0 } }
    set { all.withLock { $0 = newValue } }
  }

  func names(for host: String) -> [IdentityName] { names }

  /// Why nothing can be stored; `nil` if it can.
  var storeError: SDKError? {
    get { refusal.withLock { $0 } }
    set { refusal.withLock { $0 = newValue } }
  }

  /// Whether nothing can be deleted.
  var keepsAll: Bool {
    get { keeps.withLock { $0 } }
    set { keeps.withLock { $0 = newValue } }
  }

  /// Whether the identity can be shown before the host has named its authorities.
  var isReady: Bool {
    get { ready.withLock { $0 } }
    set { ready.withLock { $0 = newValue } }
  }

  func readyIdentity(for host: String) async throws(SDKError) -> Identity? {
    guard isReady else { return nil }
    note("ready \(host)")
    return state.withLock { $0.identity }
  }

  var events: [String] { state.withLock { $0.events } }

  func note(_ event: String) { state.withLock { $0.events.append(event) } }

  func put(_ identity: Identity) { state.withLock { $0.identity = identity } }

  func identity(
    for host: String, acceptableIssuers: [[UInt8]]
  ) async throws(SDKError) -> Identity? {
    note("ask \(host)")
    return state.withLock { $0.identity }
  }

  func store(_ identity: Identity, for host: String) async throws(SDKError) {
    note("store \(DemandNames.common(identity))")
    if let storeError { throw storeError }
    put(identity)
  }

  func delete(_ identity: Identity, for host: String) async throws(SDKError) {
    note("delete \(DemandNames.common(identity))")
    if keepsAll { throw SDKError(.store, "no space") }
    state.withLock { state in
      if state.identity?.chain == identity.chain { state.identity = nil }
    }
  }
}

enum DemandNames {
  /// The common name of an identity's certificate.
  static func common(_ identity: Identity) -> String {
    String(identity.chain.subject.dropFirst("CN=".count))
  }
}

/// A service that issues self-signed certificates, or fails.
final class NotingObtainer: IdentityObtaining {
  private struct State {
    var count = 0
    var locks: [LockOrder.Rank] = []
    var prepared: [Int] = []
    var error: SDKError?
    var isErrorOnce = false
    var swapsKeys = false
    var gate: (count: Int, transport: FakeTransport)?
  }

  private let state = Mutex(State())

  let name = "test"

  var count: Int { state.withLock { $0.count } }

  /// The locks that were held when an identity was wanted.
  var locks: [LockOrder.Rank] { state.withLock { $0.locks } }

  /// How many locks were held each time when a person could be asked.
  var prepared: [Int] { state.withLock { $0.prepared } }

  func prepare(renewing current: Identity?) async throws(SDKError) {
    state.withLock { $0.prepared.append(LockOrder.held.count) }
  }

  func fail(_ error: SDKError) { state.withLock { $0.error = error } }

  /// Fails the next time only.
  func failOnce(_ error: SDKError) {
    state.withLock { ($0.error, $0.isErrorOnce) = (error, true) }
  }

  func swapKeys() { state.withLock { $0.swapsKeys = true } }

  /// Answers only when so many requests were sent.
  func hold(until count: Int, of transport: FakeTransport) {
    state.withLock { $0.gate = (count, transport) }
  }

  func obtain(_ request: IdentityRequest) async throws(SDKError) -> Identity {
    let state = state.withLock { state in
      state.count += 1
      state.locks = LockOrder.held.map(\.lock)
      defer { if state.isErrorOnce { state.error = nil } }
      return state
    }
    if let gate = state.gate {
      while gate.transport.sent.count < gate.count { await Task.yield() }
      // The last one of them joins those who wait.
      for _ in 0..<100 { await Task.yield() }
    }
    if let error = state.error { throw error }
    let common = "new-\(state.count)"
    do {
      let other = state.swapsKeys ? try PrivateKey.generate(.ec(.p256)) : nil
      let identity = try DemandWorld.identity(common, key: other)
      return Identity(
        name: request.name, hosts: request.hosts, chain: identity.chain, key: identity.key,
        origin: identity.origin, obtainedAt: identity.obtainedAt)
    } catch {
      throw SDKError(.unavailable, "could not make the identity")
    }
  }
}
