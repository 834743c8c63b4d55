import HTTP
import JOSE
import OAuth
import OpenSSL
import POSIX
import Primitives
import Synchronization

/// The logins of all profiles that wait for an address of their URL scheme.
///
/// Each has a socket in a directory of this user. Its name is made of digests of the
/// redirect URI and of the state, so that the directory shows nothing about the logins.
public struct PendingLogins: Sendable {
  /// The result of a delivery.
  public enum Delivery: Sendable, Hashable {
    /// The login that waited for it goes on.
    case accepted
    /// It is not the response to a login that waits; the reason, in words. The logins continue to wait.
    case refused(String)
    /// No login waits for it.
    case unexpected
  }

  private let directories: [String]

  /// The pending logins of a store.
  public init(_ location: StoreLocation) { directories = location.pendingPlaces }

  /// Hands an address to the login that waits for it.
  ///
  /// That of the same state gets it, else each with the same redirect URI.
  ///
  /// - Throws: ``SDKError``: `invalidRequest` if it is not an address, `storePermissions`
  ///   when others could put sockets of their own into the directory.
  public func deliver(_ address: String) async throws(SDKError) -> Delivery {
    let bytes = Array(address.utf8)
    guard bytes.count <= Self.longestAddress, let name = try PendingName(address: address) else {
      throw SDKError(
        .invalidRequest, "\(Self.action): this is not an address with a private-use URL scheme")
    }
    var places: [(directory: String, name: String)] = []
    for directory in directories where FileStatus.exists(directory) {
      do { try Self.requirePrivate(directory) } catch { throw error.during(Self.action) }
      places += LocalSocket.names(in: directory).map { (directory, $0) }
    }
    let exact = places.filter { name.hasState(of: $0.name) }
    let candidates = exact.isEmpty ? places.filter { name.hasRedirect(of: $0.name) } : exact
    var result = Delivery.unexpected
    for place in candidates {
      let reply = try await attempt(Self.action, as: .localData) {
        try await BackgroundThread.run { Self.ask(place.name, place.directory, bytes) }
      }
      if reply == "accepted" { return .accepted }
      if let reply, reply.hasPrefix("refused ") {
        result = .refused(String(reply.dropFirst("refused ".count)))
      }
    }
    return result
  }

  /// One exchange of messages; `nil` if nobody listens.
  private static func ask(_ name: String, _ directory: String, _ address: [UInt8]) -> String? {
    do throws(SystemError) {
      guard let socket = try LocalSocket.connect(to: name, in: directory) else { return nil }
      _ = socket.send(address[...])
      socket.finishSending()
      let reply = socket.receiveAll(limit: 4096, within: .seconds(10))
      return reply.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    } catch {
      return nil
    }
  }

  static func sweep(_ directory: String) {
    for name in LocalSocket.names(in: directory) {
      _ = try? LocalSocket.connect(to: name, in: directory)
    }
  }

  /// Refuses a directory that is a link, or another's, or open to others.
  package static func requirePrivate(_ directory: String) throws(SDKError) {
    let status = try attempt(as: .store) { try FileStatus.of(directory, followLinks: false) }
    guard status.kind == .directory, status.isOwnedByUser, status.isPrivate else {
      throw SDKError(
        .storePermissions, cause: "'\(directory)' is not a directory of yours alone",
        subject: directory, remedy: .protect([FileProtection(.mode(0o700), of: [directory])]))
    }
  }

  static let longestAddress = 16_384
  private static let action = "could not pass on the address"
}

struct PendingName {
  let text: String
  private let redirect: String
  private let state: String

  init(_ request: AuthorizationRequest) throws(SDKError) {
    try self.init(RedirectURI(request.redirectURI)?.key ?? request.redirectURI, request.state)
  }

  init?(address: String) throws(SDKError) {
    guard let redirect = RedirectURI(address), let query = redirect.parameters(in: address) else {
      return nil
    }
    try self.init(redirect.key, FormParameters(encoded: query)?["state"] ?? "")
  }

  private init(_ redirect: String, _ state: String) throws(SDKError) {
    (self.redirect, self.state) = (try Self.digest(redirect), try Self.digest(state))
    text = "\(self.redirect).\(self.state)"
  }

  func hasState(of name: String) -> Bool { name.hasSuffix("." + state) }

  func hasRedirect(of name: String) -> Bool { name.hasPrefix(redirect + ".") }

  /// Of 144 bits; nothing is gained by guessing one.
  private static func digest(_ text: String) throws(SDKError) -> String {
    String(Base64URL.encode(try SDKCore.digest(of: text.utf8)).prefix(24))
  }
}

/// A waiting login by URL scheme: a socket at which its response arrives.
///
/// One connection at a time brings one address and gets one line back: `accepted`, or
/// `refused` and why. Only this user can connect.
final class PendingLogin: Sendable {
  private struct State {
    var challenge: BrowserChallenge?
    var isClosed = false
  }

  private let socket: LocalSocket
  private let wake: WakePipe
  private let state = Mutex(State())
  private let respond: @Sendable (BrowserChallenge, String) -> Void

  /// Listens in the directory under the name of what the challenge waits for.
  init(
    in directory: String, _ challenge: BrowserChallenge,
    respond: @escaping @Sendable (BrowserChallenge, String) -> Void = { $0.respond(with: $1) }
  ) throws(SDKError) {
    self.respond = respond
    wake = try attempt(as: .store) {
      try Directory.create(directory, mode: 0o700)
      return try WakePipe()
    }
    try PendingLogins.requirePrivate(directory)
    PendingLogins.sweep(directory)
    let name = try PendingName(challenge.expected.request)
    socket = try attempt(as: .store) { try LocalSocket(name.text, in: directory) }
    try attempt(as: .store) { try BackgroundThread.start { [self] in serve() } }
  }

  func expect(_ challenge: BrowserChallenge) {
    state.withLock { $0.challenge = challenge }
    wake.signal()
  }

  func close() {
    socket.remove()
    state.withLock { $0.isClosed = true }
    wake.signal()
  }

  private func serve() {
    while !state.withLock({ $0.isClosed }) {
      var entries = [Poll.Entry(wake.descriptor, .read), Poll.Entry(socket.descriptor, .read)]
      do throws(SystemError) {
        try Poll.wait(&entries, timeout: nil)
        wake.drain()
        if let connection = try socket.accept() { converse(connection) }
      } catch {
        return
      }
    }
  }

  private func converse(_ connection: borrowing FileDescriptor) {
    let limit = PendingLogins.longestAddress
    // A peer that only checks whether this process listens sends nothing.
    guard let bytes = connection.receiveAll(limit: limit, within: .seconds(5)), !bytes.isEmpty
    else { return }
    let address = String(decoding: bytes, as: UTF8.self)
    guard let challenge = state.withLock({ $0.challenge }) else { return }
    do {
      _ = try challenge.expected.read(address)
    } catch {
      connection.reply("refused \(error.text)")
      respond(challenge, address)
      return waitForNext(after: challenge)
    }
    // Reported here first: after the response to the challenge, the process that began it may end
    // at once.
    guard challenge.isOpen else { return connection.reply("refused it has a response already") }
    connection.reply("accepted")
    respond(challenge, address)
  }

  /// A challenge with a wrong response is issued again, unless its flow ends.
  private func waitForNext(after challenge: BrowserChallenge) {
    let end = SystemClock.monotonic() + .seconds(60)
    var entries = [Poll.Entry(wake.descriptor, .read)]
    while state.withLock({ !$0.isClosed && $0.challenge === challenge }),
      (try? Poll.wait(&entries, timeout: end - SystemClock.monotonic())) ?? 0 > 0
    { wake.drain() }
  }
}

extension FileDescriptor {
  fileprivate borrowing func reply(_ line: String) {
    _ = send(Array((line + "\n").utf8)[...])
    finishSending()
  }
}
