import POSIX
import Synchronization

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
      guard (try? Poll.wait(&entries, timeout: nil)) != nil else { return }
      wake.drain()
      guard entries[1].ready.contains(.read) else { continue }
      do throws(SystemError) {
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
