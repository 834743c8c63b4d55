import CoreTestSupport
import Foundation

@testable import Commands
@testable import SDKCore

/// The program with a store, a network, a terminal, a browser and a clock of its own.
final class TestProgram: Sendable {
  /// 2027-01-15T08:00:00Z.
  static let now: Timestamp = 1_800_000_000

  let folder: TemporaryFolder
  /// The profile `work`.
  let name: ProfileName
  let transport = FakeTransport([FakeServer.metadataURL: [.json(FakeServer.metadata)]])
  let terminal = FakeTerminal()
  let browser = FakeBrowser()
  private let addresses = Mutex<[String: [IPAddress]]>([:])
  private let chains = Mutex<[String: Result<PresentedChain, TransportError>]>([:])
  private let verified = Mutex<[String]>([])
  private let mismatch = Mutex<[String: TransportError]>([:])
  private let variables = Mutex<[String: String]>([:])
  private let time = Mutex(TestProgram.now)
  private let hasNetwork = Mutex(true)
  private let isReporting = Mutex(false)
  private let signal = Mutex<Int32?>(nil)
  private let outputMode = Mutex(0o600)
  private let place = Mutex<String?>(nil)
  private let enrolment = Mutex<(any IdentityObtaining)?>(nil)
  private let replaced = Mutex<Replacement?>(nil)
  private let replaceError = Mutex<SystemError?>(nil)
  private let pauseEffect = Mutex<(@Sendable (Duration) async -> Void)?>(nil)

  init() throws {
    folder = try TemporaryFolder()
    name = try ProfileName("work")
    variables.withLock {
      $0 = [
        "SDKCTL_HOME": folder.file("store"), "HOME": folder.path, "PATH": folder.file("bin"),
        "TERM": "dumb",
      ]
    }
  }

  /// A program with the current profile `work`, made by settings.
  convenience init(_ settings: [String: JSON]) throws {
    try self.init()
    var profile = try Profile(name: name, settings: .ofProgram)
    try profile.set("issuer", to: "https://id.test")
    try profile.set("resourceURL", to: "https://api.test/v1")
    for (key, value) in settings { try profile.set(key, to: value) }
    try store.create(name, settings: profile.members, pins: nil)
    try store.writeCurrent(name)
  }

  var store: ProfileStore {
    ProfileStore(StoreLocation(home: folder.file("store")), settings: .ofProgram)
  }

  /// The settings of the profile `work`.
  func members(of profile: String = "work") throws -> JSONObject {
    var members = try store.profile(try ProfileName(profile)).members
    members["version"] = nil
    return members
  }

  /// The time that the program sees.
  var now: Timestamp {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  func setVariable(_ name: String, _ value: String?) { variables.withLock { $0[name] = value } }

  /// The last address of the authorization endpoint that a run has printed or opened.
  var authorizationURL: HTTPURL? {
    let streams = folder.names.contains("streams") ? (try? folder.files()) ?? [:] : [:]
    let printed = streams.filter { $0.key.hasSuffix(".err") }.values.joined(separator: "\n")
    let words = printed.split { $0 == "\n" || $0 == " " }.map(String.init) + browser.opened
    return words.last { $0.hasPrefix("https://id.test/authorize?") }.flatMap { try? HTTPURL($0) }
  }

  /// A parameter of that address.
  func asked(_ name: String) -> String? {
    (authorizationURL?.query).flatMap { FormParameters(encoded: $0) }?[name]
  }

  /// The enrolment service of the profile.
  func enrol(at service: any IdentityObtaining) { enrolment.withLock { $0 = service } }

  /// The permissions of the file that standard output goes to.
  func setOutputMode(_ mode: Int) { outputMode.withLock { $0 = mode } }

  /// The program that a command has put in its place.
  var replacement: Replacement? { replaced.withLock { $0 } }

  /// No program can be put in its place from now on.
  func failReplacement(_ error: SystemError) { replaceError.withLock { $0 = error } }

  /// Whether no chain has a pinned key, and the policy is to report.
  var reportsPins: Bool {
    get { isReporting.withLock { $0 } }
    set { isReporting.withLock { $0 = newValue } }
  }

  /// libcurl is missing from now on.
  func removeNetwork() { hasNetwork.withLock { $0 = false } }

  /// The working directory that the program sees; `nil` for none.
  var directory: String? {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }

  /// The directory of the site.
  var site: String { folder.file("site") }

  /// What happens at the start of each pause.
  func onPause(_ effect: @escaping @Sendable (Duration) async -> Void) {
    pauseEffect.withLock { $0 = effect }
  }

  /// That signal arrives while a command runs.
  func interrupt(by number: Int32) { signal.withLock { $0 = number } }

  /// What a host shows in a handshake from now on.
  func show(_ chain: Result<PresentedChain, TransportError>, at place: String) {
    chains.withLock { $0[place] = chain }
  }

  /// The addresses of a host from now on.
  func resolve(_ host: String, to texts: [String]) {
    addresses.withLock { $0[host] = texts.compactMap { IPAddress($0) } }
  }

  /// The places whose pins were checked before a browser was sent there.
  var verifiedPlaces: [String] { verified.withLock { $0 } }

  /// A check of the pins of that host fails from now on.
  func refuse(_ host: String, with error: TransportError) {
    mismatch.withLock { $0[host] = error }
  }

  /// Registers the client `app` with the secret `secret-1`, or a public one.
  func register(
    isConfidential: Bool = true, _ members: JSONObject = [:]
  ) async throws {
    var client: JSONObject = ["client_id": "app"]
    if isConfidential { client["client_secret"] = "secret-1" }
    client = client.merging(members) { $1 }
    try await RegistrationStore(ProfileSecrets(location: store.location, profile: name)).save(
      Registration(
        issuer: "https://id.test", source: .dynamic, obtained: Self.now, client: client))
  }

  /// Puts tokens into a slot; they live for `lifetime` seconds.
  func store(
    _ accessToken: String, lifetime: Int64? = 3600, refreshToken: String? = "refresh-1",
    scope: String? = "a b", type: String = "Bearer", idToken: String? = nil,
    in slot: CredentialSlot = .user, of user: UserID = .standard
  ) async throws {
    var tokens = TokenSet(
      accessToken: accessToken, tokenType: type, expires: lifetime.map { now + $0 },
      scope: scope, refreshToken: refreshToken, obtained: now)
    tokens.idToken = idToken
    try await CredentialStore(
      ProfileSecrets(location: store.location, profile: name, user: user), slot,
      issuer: "https://id.test"
    ).save(
      tokens)
  }

  func stored(_ slot: CredentialSlot = .user, of user: UserID = .standard) async throws -> TokenSet?
  {
    try await CredentialStore(
      ProfileSecrets(location: store.location, profile: name, user: user), slot,
      issuer: "https://id.test"
    ).load()?.tokens
  }

  /// Runs a command line; `input` is the file that standard input comes from, `nil` for `/dev/null`.
  func run(_ words: String..., input: String? = nil) async throws -> ProgramRun {
    try await run(words, input: input)
  }

  func run(_ words: [String], input: String? = nil) async throws -> ProgramRun {
    let id = UUID().uuidString
    let source = try input.map { try folder.write($0, to: "streams/\(id).in") } ?? "/dev/null"
    let input = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
    let output = try FileHandle(
      forUpdating: URL(
        fileURLWithPath: folder.write("", to: "streams/\(id).out", mode: outputMode.withLock { $0 })
      ))
    let errors = try FileHandle(
      forUpdating: URL(fileURLWithPath: folder.write("", to: "streams/\(id).err")))
    var ports = Ports(environment: Environment(variables.withLock { $0 }))
    ports.input = Input(descriptor: input.fileDescriptor)
    ports.output = Output(descriptor: output.fileDescriptor)
    ports.errors = Output(descriptor: errors.fileDescriptor, capacity: 0)
    ports.now = { self.now }
    // A person in Berlin, in winter.
    ports.localTime = { time in
      "\((time + 3600).date) \((time + 3600).description.dropFirst(11).dropLast()) CET"
    }
    ports.pause = { length in
      if let effect = self.pauseEffect.withLock({ $0 }) { await effect(length) }
      self.now = self.now + length.components.seconds
    }
    ports.site = site
    ports.directory = { self.directory }
    ports.terminal = terminal.port
    ports.browser = browser
    ports.network = network
    ports.identityService = enrolment.withLock { $0 }
    ports.configure = { $0.passcodeCost = ScryptCost(n: 16, r: 1, p: 1) }
    ports.replace = { program, arguments, environment in
      if let error = self.replaceError.withLock({ $0 }) { return error }
      self.replaced.withLock {
        $0 = Replacement(program: program, arguments: arguments, environment: environment)
      }
      return nil
    }
    ports.cancelling = {
      await $1()
      return self.signal.withLock { $0 }
    }
    let ending = await Launch.run(words.map { Array($0.utf8) }, ports)
    let status = ending.report()
    withExtendedLifetime((input, output, errors)) {}
    return ProgramRun(
      status: status, output: try folder.text(of: "streams/\(id).out"),
      errors: try folder.text(of: "streams/\(id).err"))
  }

  private var network: Network {
    Network(
      makeTransport: { _, options in
        guard self.reportsPins else { return self.transport }
        return ReportingTransport(transport: self.transport, report: options.pinReport)
      },
      makeHandshakes: { _, _ in
        Handshakes(
          probe: { (endpoint) throws(TransportError) in
            let at = endpoint.address.map { "@\($0)" } ?? ""
            let place = "\(endpoint)\(at)"
            guard let chain = self.chains.withLock({ $0[place] }) else {
              throw TransportError(.connection, "nothing is scripted for \(place)")
            }
            return try chain.get()
          },
          verify: { (url) throws(TransportError) in
            self.verified.withLock { $0.append("\(url.host):\(url.port)") }
            if let error = self.mismatch.withLock({ $0[url.host] }) { throw error }
            return nil
          },
          addresses: { (endpoint) throws(TransportError) in
            self.addresses.withLock { $0[endpoint.host] } ?? []
          })
      },
      version: { () throws(SDKError) in
        guard self.hasNetwork.withLock({ $0 }) else { throw SDKError(.unavailable, "no libcurl") }
        return "libcurl/0 OpenSSL/0"
      })
  }
}

/// A program that was put in the place of this one.
struct Replacement: Sendable {
  let program: String
  let arguments: [String]
  let environment: Environment
}

/// What a run left behind.
struct ProgramRun: Sendable, Hashable, CustomStringConvertible {
  let status: Ending.Status
  var output: String
  let errors: String

  var description: String { "\(status)\n<\(output)>\n<\(errors)>" }

  /// The output as JSON.
  var json: JSON? { try? JSON(parsing: output) }
  /// The error of `--json`.
  var jsonError: JSON? { (try? JSON(parsing: errors))?["error"] }
}

/// Expects exit status, output and errors.
func expect(
  _ run: ProgramRun, _ exit: ExitCode, output: String = "", errors: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(run.status == .status(exit), sourceLocation: sourceLocation)
  #expect(run.output == output, sourceLocation: sourceLocation)
  #expect(run.errors == errors, sourceLocation: sourceLocation)
}
