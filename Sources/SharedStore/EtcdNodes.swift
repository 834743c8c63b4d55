public import HTTP
import JSON
import POSIX
import Primitives
public import SDKCore
import Synchronization

/// The nodes of a cluster of etcd, asked in turn with one deadline; one that hangs costs two seconds.
///
/// A cluster that has not responded for ten seconds counts as unreachable: for a minute, further questions get the
/// time of one node, so that what asks several times does not wait as often.
final class EtcdNodes: Sendable {
  private let endpoints: [HTTPURL]
  private let transport: any Transport
  private let certificate: @Sendable () async throws(SDKError) -> ClientCertificate?
  private let remaining: @Sendable () -> Duration?
  private let clock: NodeClock
  /// How long a cluster may not respond before it counts as unreachable.
  private let silence: Duration
  /// The node that is asked first.
  private let first: Atomic<Int>
  /// When the first request was sent that got no response, of those since the last response.
  private let silentSince = Mutex<ContinuousClock.Instant?>(nil)

  init(
    _ endpoints: [HTTPURL], over transport: any Transport,
    certificate: @escaping @Sendable () async throws(SDKError) -> ClientCertificate?,
    remaining: @escaping @Sendable () -> Duration?, now: @escaping @Sendable () -> Timestamp,
    silence: Duration = .seconds(10)
  ) {
    self.silence = silence
    self.endpoints = endpoints
    self.transport = transport
    self.certificate = certificate
    self.remaining = remaining
    clock = NodeClock(of: endpoints.count, now: now)
    // Not all machines ask the same node.
    first = Atomic(Int.random(in: 0..<max(1, endpoints.count)))
  }

  /// By how many seconds the machine's clock is behind those of most nodes; negative if it is ahead.
  var behind: Int64 { clock.behind }

  /// Sends a request to the nodes in turn, until one responds or the time is over.
  ///
  /// Without `time`, until the cluster counts as unreachable. The time limit of the command leaves it that `least` time.
  /// A node whose response `read` returns `nil` for has not responded.
  func call<Value>(
    _ path: String, _ body: JSON, within time: Duration? = nil, atLeast least: Duration = .zero,
    reading read: (JSON) -> Value?
  ) async throws(SDKError) -> Value {
    let time = time ?? timeOfSilence(at: .now)
    let deadline = ContinuousClock.now + min(time, remaining().map { max($0, least) } ?? time)
    var failures: [Int: String] = [:]
    var round = 0
    while true {
      var refusals: [SDKError] = []
      for _ in endpoints {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { throw unreachable(failures) }
        let index = node()
        do throws(SDKError) {
          let response = try await send(index, path, body, min(left, Self.timeLimit(in: round)))
          guard let value = read(response) else {
            throw SDKError(.network, cause: "the response is not one of etcd")
          }
          silentSince.withLock { $0 = nil }
          if clock.isNews(from: index) {
            clock.begin()
            _ = await status()
            clock.settle()
          }
          return value
        } catch {
          // A node that is killed in a handshake looks as if it had refused the client certificate.
          guard error.code == .network || error.code == .identity else { throw error }
          if error.code == .identity { refusals.append(error) }
          failures[index] = error.message
          next()
        }
      }
      if refusals.count == endpoints.count, let refusal = refusals.first {
        throw refusal.during("could not use the shared store")
      }
      round += 1
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > Self.pause, (try? await Task.sleep(for: Self.pause)) != nil else {
        throw unreachable(failures)
      }
    }
  }

  /// How long the next question may go without a response.
  func timeOfSilence(at now: ContinuousClock.Instant) -> Duration {
    let begin = silentSince.withLock { since in
      let begin = since.flatMap { now - $0 < .seconds(60) ? $0 : nil } ?? now
      since = begin
      return begin
    }
    return max(Self.nodeTime, now.duration(to: begin + silence))
  }

  /// Waits at one node until it reports a change.
  func watch(_ body: JSON, waiting time: Duration) async throws(SDKError) -> KeyChanges? {
    let watch = EtcdWatch()
    let request = try await request(node(), "watch", body, time)
    try await watch.run(request, over: transport, startingWithin: Self.nodeTime)
    if let changes = watch.changes { return changes }
    // The next request goes to another node; a node that ends every watch at once is not asked without a pause.
    next()
    try? await Task.sleep(for: Self.pause)
    return nil
  }

  /// What each node returns of itself; for people.
  func status() async -> [(endpoint: HTTPURL, state: Result<JSON, SDKError>)] {
    await withTaskGroup(of: (Int, Result<JSON, SDKError>).self) { group in
      for index in endpoints.indices { group.addTask { (index, await self.status(of: index)) } }
      var states: [Int: Result<JSON, SDKError>] = [:]
      for await (index, state) in group { states[index] = state }
      return endpoints.indices.compactMap { index in states[index].map { (endpoints[index], $0) } }
    }
  }

  private func status(of index: Int) async -> Result<JSON, SDKError> {
    do throws(SDKError) {
      let time = min(Self.nodeTime, remaining() ?? Self.nodeTime)
      return .success(try await send(index, "maintenance/status", [:], time))
    } catch {
      return .failure(error)
    }
  }

  private func send(
    _ index: Int, _ path: String, _ body: JSON, _ time: Duration
  ) async throws(SDKError) -> JSON {
    let request = try await request(index, path, body, time)
    let response: HTTPResponse
    do throws(TransportError) {
      response = try await transport.send(request, limit: 16 << 20)
    } catch {
      throw Self.failure(error)
    }
    guard let document = try? JSON(parsing: response.body) else {
      throw SDKError(.network, cause: "status \(response.status), without a document in JSON")
    }
    clock.see(response, from: index)
    if response.isSuccess, document["error"] == nil { return document }
    throw Self.failure(document, response.status)
  }

  private func request(
    _ index: Int, _ path: String, _ body: JSON, _ time: Duration
  ) async throws(SDKError) -> HTTPRequest {
    let url = try attempt("could not use the shared store", as: .invalidConfiguration) {
      try endpoints[index].appending("v3/\(path)")
    }
    var request = HTTPRequest(
      .post, url, fields: [HTTPField(known: "Content-Type", "application/json")],
      body: .bytes(body.serializedBytes()), timeout: time)
    request.clientCertificate = try await certificate()
    request.stopsForCertificate = true
    return request
  }

  private func node() -> Int { first.load(ordering: .relaxed) % max(1, endpoints.count) }

  private func next() { first.add(1, ordering: .relaxed) }

  private static func failure(_ error: TransportError) -> SDKError {
    if error.certificateRefusal != nil {
      return SDKError(.identity, cause: error.message, details: error.details, subject: error.host)
    }
    let failure = SDKError(error)
    // Another node, or the same one later, may do better.
    if failure.code == .network || error.code == .malformed {
      return SDKError(.network, cause: error.message)
    }
    return failure.code == .identity ? failure : failure.during("could not use the shared store")
  }

  private static func failure(_ document: JSON, _ status: Int) -> SDKError {
    let text = VisibleText.of(
      document["message"]?.string ?? document["error"]?.string ?? "status \(status)", .space,
      limit: 300)
    let code = document["code"]?.int ?? 0
    let action = "could not use the shared store: \(text)"
    // The codes of gRPC: deadline exceeded, unavailable, cancelled, aborted.
    if [1, 4, 10, 14].contains(code) || status >= 500 { return SDKError(.network, cause: text) }
    if code == 5, text.containsText("lease not found") {
      return SDKError(.changedElsewhere, action)
    }
    if [7, 16].contains(code) { return SDKError(.refused, action) }
    return SDKError(.store, action)
  }

  private func unreachable(_ failures: [Int: String]) -> SDKError {
    let states = endpoints.indices.map { index in
      "\(endpoints[index].authority): \(failures[index] ?? "not asked")"
    }
    return SDKError(
      .network, "could not reach the shared store: \(states.joined(separator: "; "))")
  }

  /// What one node may take, while others have not been asked.
  static let nodeTime = Duration.seconds(2)

  /// What a node may take in a round of all: if all nodes are slow, none of them hangs.
  static func timeLimit(in round: Int) -> Duration { nodeTime * (1 << min(round, 10)) }

  private static let pause = Duration.milliseconds(200)
}

/// The address of secrets in a store that several machines share: a cluster of etcd.
public struct SharedAddress: Sendable, Hashable, CustomStringConvertible {
  /// The nodes of the cluster, which are tried in turn.
  public let endpoints: [HTTPURL]
  /// What the names of all keys begin with, without a slash at its ends.
  public let prefix: String

  /// Reads `etcd:https://HOST:PORT[,HOST:PORT…]/PREFIX`.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` for another text.
  public init(_ text: String) throws(SDKError) {
    guard let address = SharedAddress(reading: text) else {
      throw SDKError(
        .invalidRequest,
        "could not use the shared store '\(text)': it is not 'etcd:https://HOST:PORT[,HOST:PORT]/PREFIX'"
      )
    }
    self = address
  }

  private init?(reading text: String) {
    let scheme = "etcd:https://"
    guard text.hasPrefix(scheme) else { return nil }
    let rest = text.dropFirst(scheme.utf8.count)
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    prefix = String(rest[rest.index(after: slash)...])
    guard prefix.utf8.count <= 200,
      prefix.split(separator: "/" as Character, omittingEmptySubsequences: false)
        .allSatisfy(Self.isWord)
    else { return nil }
    var endpoints: [HTTPURL] = []
    for node in rest[..<slash].split(separator: "," as Character, omittingEmptySubsequences: false)
    {
      guard let url = try? HTTPURL("https://" + node), url.query == nil else { return nil }
      endpoints.append(url)
    }
    self.endpoints = endpoints
  }

  /// The text that ``init(_:)`` reads.
  public var description: String {
    "etcd:https://\(endpoints.map(\.authority).joined(separator: ","))/\(prefix)"
  }

  private static func isWord(_ text: Substring) -> Bool {
    !text.isEmpty && text.first != "."
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.".utf8.contains($0) }
  }
}
