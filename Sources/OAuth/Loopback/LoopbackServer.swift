import POSIX

/// The loop that serves all connections of one listener, on one thread.
final class LoopbackServer {
  private let sockets: [ListeningSocket]
  private let state: LoopbackState
  private let routes: LoopbackRoutes
  private var connections: [LoopbackConnection] = []
  /// When the deciding request was answered.
  private var decided: Duration?
  private var outcomeSince: Duration?
  /// The browser has asked for the outcome.
  private var isFollowed = false
  /// No descriptors were left: the sockets rest until then.
  private var rest: Duration?
  private let limits: LoopbackLimits
  private var now: Duration

  init(
    _ sockets: [ListeningSocket], port: UInt16, path: String, state: LoopbackState,
    limits: LoopbackLimits
  ) {
    (self.limits, now) = (limits, limits.now())
    self.sockets = sockets
    self.state = state
    routes = LoopbackRoutes(port: port, path: path)
  }

  /// Returns when the listener is closed.
  func run() {
    var values = state.current
    while !values.isClosed {
      resume(values)
      guard serve(values) else { break }
      now = limits.now()
      values = state.current
    }
    connections = []
    state.delivered.open(())
    state.ended.open(())
  }

  /// Waits for something to happen and does what it asks for.
  private func serve(_ values: LoopbackState.Values) -> Bool {
    let served = connections
    let isResting = rest.map { $0 > now } ?? false
    var entries = [Poll.Entry(state.wake.descriptor, .read)]
    entries += sockets.map { Poll.Entry($0.socket.descriptor, isResting ? [] : .read) }
    entries += served.map(\.entry)
    do throws(SystemError) {
      try Poll.wait(&entries, timeout: timeout(values))
    } catch {
      return false
    }
    now = limits.now()
    if !entries[0].ready.isEmpty { state.wake.drain() }
    for (connection, entry) in zip(served, entries.dropFirst(1 + sockets.count))
    where !entry.ready.isEmpty {
      advance(connection, entry, values)
    }
    for (listener, entry) in zip(sockets, entries.dropFirst()) where entry.ready.contains(.read) {
      admit(at: listener)
    }
    return true
  }

  private func advance(
    _ connection: LoopbackConnection, _ entry: Poll.Entry, _ values: LoopbackState.Values
  ) {
    switch connection.stage {
    case .writing: connection.send(at: now)
    case .draining: _ = connection.receive()
    case .reading: if connection.receive() { read(connection, values) }
    case .parked, .held: connection.close()
    }
  }

  private func read(_ connection: LoopbackConnection, _ values: LoopbackState.Values) {
    switch routes.route(connection.received, values) {
    case .incomplete: break
    case .early: connection.park()
    case .refuse(let reply): answer(connection, reply)
    case .outcome:
      isFollowed = true
      connection.hold(until: now + .milliseconds(800))
    case .launch: launch(connection)
    case .accepted(let parameters): decide(connection, parameters)
    }
  }

  private func launch(_ connection: LoopbackConnection) {
    // What others asked for in the meantime counts, so the order of now is looked at.
    guard let launch = state.current.launch, !launch.isUsed else {
      return answer(connection, LoopbackReply(410, .used))
    }
    state.change { $0.launch?.isUsed = true }
    answer(connection, .found(launch.target))
  }

  private func decide(_ connection: LoopbackConnection, _ parameters: String) {
    guard state.accepted.open(LoopbackRequest(parameters: parameters)) else {
      return answer(connection, LoopbackReply(409, .repeated))
    }
    decided = now
    answer(connection, .seeOther(routes.outcomePath))
  }

  /// What an order or the passing of time makes possible.
  private func resume(_ values: LoopbackState.Values) {
    if values.outcome != nil, outcomeSince == nil { outcomeSince = now }
    for connection in connections {
      switch connection.stage {
      case .parked:
        guard values.expectation != nil else { break }
        connection.unpark(at: now)
        read(connection, values)
      case .held:
        if let outcome = values.outcome {
          answer(connection, LoopbackReply(200, outcome.text), isLast: true)
        } else if isOver(connection.deadline) {
          answer(connection, LoopbackReply(200, .received))
        }
      default: if isOver(connection.deadline) { connection.close() }
      }
    }
    if values.outcome != nil, isTold(values) { state.delivered.open(()) }
    connections.removeAll(where: \.isClosed)
  }

  /// Whether the browser has the final word, or will not come for it.
  private func isTold(_ values: LoopbackState.Values) -> Bool {
    if connections.contains(where: { $0.isLast && $0.isAnswered }) { return true }
    return goodbye.map { $0 <= now } ?? true
  }

  /// How long the browser is waited for: longer if it has begun to follow.
  private var goodbye: Duration? {
    isFollowed
      ? outcomeSince.map { $0 + .seconds(2) } : decided.map { $0 + .milliseconds(500) }
  }

  private func admit(at listener: ListeningSocket) {
    // A bounded number at once, so that a flood does not keep us from those who are here.
    for _ in 0..<limits.connections {
      do throws(SystemError) {
        guard let socket = try listener.socket.accept() else { return }
        makeRoom()
        connections.append(LoopbackConnection(socket, at: now))
      } catch {
        if !dropOne() { rest = now + .milliseconds(100) }
        return
      }
    }
  }

  private func makeRoom() {
    connections.removeAll(where: \.isClosed)
    if connections.count >= limits.connections, !dropOne() { connections.removeFirst() }
  }

  /// Drops the oldest connection that has said nothing, or else the oldest that dawdles.
  private func dropOne() -> Bool {
    let values = state.current
    for connection in connections where connection.isIdle {
      // It may have spoken since we last listened.
      guard connection.receive() else { return drop(connection) }
      read(connection, values)
    }
    let dawdler = connections.first { connection in
      if case .reading = connection.stage { return true }
      return false
    }
    return dawdler.map(drop) ?? false
  }

  private func drop(_ connection: LoopbackConnection) -> Bool {
    connections.removeAll { $0 === connection }
    return true
  }

  private func answer(
    _ connection: LoopbackConnection, _ reply: LoopbackReply, isLast: Bool = false
  ) {
    connection.answer(reply.bytes(nonce: LoopbackRoutes.secret()), at: now, isLast: isLast)
  }

  private func isOver(_ deadline: Duration?) -> Bool { deadline.map { $0 <= now } ?? false }

  /// How long nothing will have to be done.
  private func timeout(_ values: LoopbackState.Values) -> Duration? {
    var deadlines = connections.compactMap(\.deadline)
    if let rest, rest > now { deadlines.append(rest) }
    if values.outcome != nil, let goodbye, goodbye > now { deadlines.append(goodbye) }
    return deadlines.min().map { max($0 - now, .zero) }
  }
}
