import POSIX
import Primitives
import Synchronization

/// One running sandbox: its settings, its clock and everything it remembers.
final class Sandbox: Sendable {
  let settings: Settings
  /// Seconds since 1970, and where a test turns the clock.
  let clock: @Sendable () -> Int
  /// Issues the identities that the gateways accept.
  let enrolment: EnrolmentAuthority
  /// The certificate that the server shows, DER.
  let serverCertificate: [UInt8]
  /// What requests to the resources may be encrypted to; it stays for as long as the process.
  let payloadKey = PayloadKey()
  private let world: Mutex<World>
  private let listeningPort = Atomic<Int>(0)
  private let listeningMutualPort = Atomic<Int>(0)
  private let gateways = Mutex<[Gateway: Int]>([:])

  init(
    settings: Settings = Settings(), serverCertificate: [UInt8] = [],
    clock: @escaping @Sendable () -> Int = { Sandbox.now }
  ) throws {
    self.settings = settings
    self.clock = clock
    self.serverCertificate = serverCertificate
    enrolment = try EnrolmentAuthority(now: clock())
    world = Mutex(World(keys: try KeyRing()))
  }

  /// Reads or changes what the sandbox remembers, one caller at a time.
  func change<T: Sendable, E: Error>(_ body: (inout World) throws(E) -> T) throws(E) -> T {
    try world.withLock { (world) throws(E) in try body(&world) }
  }

  /// The time of this machine, in seconds since 1970.
  static var now: Int { Int(SystemClock.now().seconds) }

  /// Forgets everything: clients, tokens, people, faults, counters.
  ///
  /// Signing keys are new too, but for that of RSA.
  func reset() throws {
    let keys = try change { $0.keys }.renewed()
    change { $0 = World(keys: keys) }
  }

  func listen(on port: Int) { listeningPort.store(port, ordering: .sequentiallyConsistent) }

  func listen(onMutual port: Int) {
    listeningMutualPort.store(port, ordering: .sequentiallyConsistent)
  }

  func listen(on gateway: Gateway, _ port: Int) { gateways.withLock { $0[gateway] = port } }

  /// The base of a port that wants identities.
  func url(of gateway: Gateway) -> String {
    "https://localhost:\(gateways.withLock { $0[gateway] } ?? 0)"
  }

  var mutualPort: Int { listeningMutualPort.load(ordering: .sequentiallyConsistent) }
  var port: Int { listeningPort.load(ordering: .sequentiallyConsistent) }
  var issuer: String { "https://localhost:\(port)" }
  /// The base of everything on the port for mutual TLS; the issuer is the same there.
  var mutualURL: String { "https://localhost:\(mutualPort)" }
  var resourceURL: String { issuer + "/resources" }
}
