import BulkRequests
import HTTP
import PageLogin
import Pinning
import SDKCore

// The samples of docs/library.md, so that the compiler reads them. A test of the package compares
// the page with the files of Examples/.

/// Obtains a session in a way of the program's own.
final class OwnAuthentication: RequestObserver {
  private let session: ProfileSession
  private let authenticate: @Sendable () async throws(SDKError) -> [Cookie]

  init(
    _ session: ProfileSession,
    authenticate: @escaping @Sendable () async throws(SDKError) -> [Cookie]
  ) {
    self.session = session
    self.authenticate = authenticate
  }

  func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool {
    access == .user
  }

  func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError) {
    try await session.login.store(.cookies(SessionCookies(try await authenticate())))
  }
}

/// Called by the web view before it opens an address; returns whether it may.
func mayOpen(_ address: String, during challenge: BrowserChallenge) -> Bool {
  guard challenge.isResponse(address) else { return true }
  challenge.respond(with: address)
  return false
}

/// The samples that are statements; none of these functions is called.
enum GuideSamples {
  static func opened() throws {
    let store = ProfileStore(try StoreLocation())
    let session = try ProfileSession(opening: ProfileName("work"), in: store)
    _ = session
  }

  static func described(_ store: ProfileStore) throws {
    let options = SessionOptions(programName: "My App", userAgent: "my-app/1.0")
    let session = try ProfileSession(opening: ProfileName("work"), in: store, options: options)
    _ = session
  }

  static func added(_ store: ProfileStore) async throws {
    try await store.add(
      Profile(
        name: ProfileName("work"),
        members: [
          "issuer": "https://id.example.com", "resourceURL": "https://api.example.com",
        ]))
  }

  static func fetched(_ session: ProfileSession) async throws {
    let response = try await UserClient(session).send(ResourceRequest("/devices"))
    _ = response
  }

  static func configured(_ store: ProfileStore) {
    Client.configure(Client(in: store))
    let task = Client.shared.userClient.start(ResourceRequest("/devices")) {
      response, error in
      // An HTTP error status comes with both: error.resource has the domain `transport` and the status.
    }
    task?.suspend()
    task?.resume()
  }

  static func pages(
    _ session: ProfileSession, show: ([UInt8]) -> Void
  ) async throws {
    var options = ResourcePages.Options()
    options.source = .cursor(field: "page.next", parameter: "after")
    var pages = try session.resources.pages(of: ResourceRequest("/orders"), as: .user, options)
    while let page = try await pages.next() { show(page.body) }
    if let url = pages.upcoming { print("go on at \(url)") }
  }

  static func batch(
    _ session: ProfileSession, nextItem: @escaping @Sendable () -> BatchItem?,
    report: @escaping @Sendable (Int, Result<HTTPResponse, SDKError>) -> Void
  ) async {
    await BatchRun(session, BatchOptions(parallel: 50)).run({ nextItem() }) { outcome in
      report(outcome.number, outcome.result)
      return true
    }
  }

  static func loggedIn(_ session: ProfileSession, _ address: String) async throws {
    let result = try await session.login.logIn(
      by: .browser { challenge in
        // Show challenge.url to a user, and pass the final address of the browser.
        challenge.respond(with: address)
      })
    _ = result
  }

  static func built() -> ResourceRequest {
    let request = ResourceRequest.Builder()
      .method("POST").path("/orders")
      .parameter("item", "7").parameter("tags", json: ["new", "urgent"])
      .parametersEncoding(.formURL)
      .build()
    return request
  }

  static func registered(_ session: ProfileSession, _ secret: String) async throws {
    let client = ExistingClient(
      clientID: "app", secret: secret, method: .basic, redirectURI: "authapp://Default/Authcallback"
    )
    let registration = try await session.registration.use(existing: client)
    _ = registration
  }

  static func sealed(_ session: ProfileSession, _ answers: any PasscodeEntry) async throws {
    try await session.seal.seal([.user], asking: answers)
  }

  static func account(_ session: ProfileSession) async throws {
    guard let address = EmailAddress("alice@example.com") else { return }
    try await session.account.ask(.signUp, for: address)
  }

  static func pinned(_ session: ProfileSession, _ host: String) async throws {
    let chain = try await session.pinning.probe(host: host, port: 443)
    try await session.pinning.add([PinnedKey(pin: chain.keys[0].pin, role: .leaf)], to: host)
  }

  static func identities(
    _ session: ProfileSession,
    makeIdentity: @escaping @Sendable (IdentityRequest) async throws(SDKError) -> Identity
  ) {
    let observer = IdentityObserver(
      session, store: MemoryStore(), obtainer: OwnService(make: makeIdentity),
      authenticationHandler: { identity, host in print("new identity for \(host)") })
    session.resources.register(observer)
  }

  static func form(_ name: ProfileName, _ store: ProfileStore, _ password: String) async throws {
    var options = SessionOptions(programName: "My App")
    options.loginMethods = [.pages]
    let session = try ProfileSession(opening: name, in: store, options: options)
    let credentials = FormCredentials(user: "alice", password: password)
    if case .cookies(let cookies) = try await session.login.byForm(credentials) {
      print(cookies.cookies.map(\.name))
    }
  }

  static func tested(
    _ name: ProfileName, _ store: ProfileStore, _ responses: [String: String]
  ) throws {
    let session = try ProfileSession(opening: name, in: store, transport: TableTransport(responses))
    _ = session
  }
}
