import POSIX

/// The loop that serves all connections of one listener, on one thread.
final class LoopbackServer {
  private let sockets: [ListeningSocket]
  private let state: LoopbackState
  private let routes: LoopbackRoutes
  private let program: String
  private var connections: [LoopbackConnection] = []
  /// When the accepted request got its response.
  private var acceptedAt: Duration?
  private var outcomeSince: Duration?
  private var told: [LoopbackRefusal] = []
  /// Whether the browser has asked for the outcome.
  private var isOutcomeRequested = false
  /// Until then no connection is accepted, because no descriptors were left.
  private var pausedUntil: Duration?
  private let limits: LoopbackLimits
  private var now: Duration

  init(
    _ sockets: [ListeningSocket], port: UInt16, path: String, program: String, state: LoopbackState,
    limits: LoopbackLimits
  ) {
    (self.limits, now) = (limits, limits.now())
    self.sockets = sockets
    self.state = state
    self.program = program
    routes = LoopbackRoutes(port: port, path: path, program: program)
  }

  /// Returns when the listener is closed, or if the system refuses to wait.
  func run() {
    do throws(SystemError) {
      var values = state.current
      while !values.isClosed {
        resume(values)
        try serve(values)
        now = limits.now()
        values = state.current
      }
    } catch {}
    connections = []
    state.delivered.set(())
    state.ended.set(())
  }

  private func serve(_ values: LoopbackState.Values) throws(SystemError) {
    let served = connections
    let isPaused = pausedUntil.map { $0 > now } ?? false
    var entries = [Poll.Entry(state.wake.descriptor, .read)]
    entries += sockets.map { Poll.Entry($0.socket.descriptor, isPaused ? [] : .read) }
    entries += served.map(\.entry)
    try Poll.wait(&entries, timeout: timeout(values))
    now = limits.now()
    if !entries[0].ready.isEmpty { state.wake.drain() }
    for (connection, entry) in zip(served, entries.dropFirst(1 + sockets.count))
    where !entry.ready.isEmpty {
      advance(connection, entry, values)
    }
    for (listener, entry) in zip(sockets, entries.dropFirst()) where entry.ready.contains(.read) {
      admit(at: listener)
    }
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
    case .refuse(let reply): respond(to: connection, reply)
    case .refuseResponse(let refusal):
      tell(refusal)
      respond(to: connection, refusal.reply)
    case .outcome:
      isOutcomeRequested = true
      connection.hold(until: now + .milliseconds(800))
    case .launch: launch(connection)
    case .accepted(let parameters): decide(connection, parameters)
    }
  }

  /// Tells of each kind of refusal once: any page can send such requests.
  private func tell(_ refusal: LoopbackRefusal) {
    guard !told.contains(where: refusal.isLike) else { return }
    told.append(refusal)
    limits.refused?(refusal)
  }

  private func launch(_ connection: LoopbackConnection) {
    // Another connection may have used it in the meantime, so the current state is read.
    guard let launch = state.current.launch, !launch.isUsed else {
      return respond(to: connection, LoopbackReply(410, .used(by: program)))
    }
    state.change { $0.launch?.isUsed = true }
    respond(to: connection, .found(launch.target))
  }

  private func decide(_ connection: LoopbackConnection, _ parameters: String) {
    guard state.accepted.set(LoopbackRequest(parameters: parameters)) else {
      return respond(to: connection, LoopbackReply(409, .repeated))
    }
    acceptedAt = now
    respond(to: connection, .seeOther(routes.outcomePath))
  }

  /// Handles changes of the state and expired deadlines.
  private func resume(_ values: LoopbackState.Values) {
    if values.outcome != nil, outcomeSince == nil { outcomeSince = now }
    for connection in connections {
      switch connection.stage {
      case .parked:
        connection.unpark(at: now)
        read(connection, values)
      case .held:
        if let outcome = values.outcome {
          respond(to: connection, LoopbackReply(200, outcome.text), isLast: true)
        } else if isOver(connection.deadline) {
          respond(to: connection, LoopbackReply(200, .received(by: program)))
        }
      default: if isOver(connection.deadline) { connection.close() }
      }
    }
    if values.outcome != nil, isDelivered(values) { state.delivered.set(()) }
    connections.removeAll(where: \.isClosed)
  }

  /// Whether the browser has the outcome, or will not ask for it any more.
  private func isDelivered(_ values: LoopbackState.Values) -> Bool {
    if connections.contains(where: { $0.isLast && $0.isSent }) { return true }
    return outcomeDeadline.map { $0 <= now } ?? true
  }

  /// Until when to wait for the browser: longer if it has asked for the outcome.
  private var outcomeDeadline: Duration? {
    isOutcomeRequested
      ? outcomeSince.map { $0 + .seconds(2) } : acceptedAt.map { $0 + .milliseconds(500) }
  }

  private func admit(at listener: ListeningSocket) {
    // Only a limited number at once, so that a flood does not delay open connections.
    for _ in 0..<limits.connections {
      do throws(SystemError) {
        guard let socket = try listener.socket.accept() else { return }
        makeSpace()
        connections.append(LoopbackConnection(socket, at: now))
      } catch {
        if !dropOne() { pausedUntil = now + .milliseconds(100) }
        return
      }
    }
  }

  private func makeSpace() {
    connections.removeAll(where: \.isClosed)
    if connections.count >= limits.connections, !dropOne() { connections.removeFirst() }
  }

  /// Drops the oldest connection without input, else the oldest with an incomplete request.
  private func dropOne() -> Bool {
    let values = state.current
    for connection in connections where connection.isIdle {
      // It may have sent something since the last read.
      guard connection.receive() else { return drop(connection) }
      read(connection, values)
    }
    let incomplete = connections.first { connection in
      if case .reading = connection.stage { return true }
      return false
    }
    return incomplete.map(drop) ?? false
  }

  private func drop(_ connection: LoopbackConnection) -> Bool {
    connections.removeAll { $0 === connection }
    return true
  }

  private func respond(
    to connection: LoopbackConnection, _ reply: LoopbackReply, isLast: Bool = false
  ) {
    connection.respond(reply.bytes(nonce: LoopbackRoutes.secret()), at: now, isLast: isLast)
  }

  private func isOver(_ deadline: Duration?) -> Bool { deadline.map { $0 <= now } ?? false }

  private func timeout(_ values: LoopbackState.Values) -> Duration? {
    var deadlines = connections.compactMap(\.deadline)
    if let pausedUntil, pausedUntil > now { deadlines.append(pausedUntil) }
    if values.outcome != nil, let outcomeDeadline, outcomeDeadline > now {
      deadlines.append(outcomeDeadline)
    }
    return deadlines.min().map { max($0 - now, .zero) }
  }
}
