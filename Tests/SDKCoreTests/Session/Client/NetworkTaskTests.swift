import CoreTestSupport
import Foundation

@testable import SDKCore

@Suite("A network task")
struct NetworkTaskTests {
  private static let request = ResourceRequest("GET", "/x")

  private static func client(_ transport: HeldTransport) throws -> DeviceClient {
    DeviceClient(try World().session(transport: transport))
  }

  /// A task whose request waits at the transport.
  private static func started(
    completion: @escaping NetworkTask.Completion = { _, _ in }
  ) async throws -> (NetworkTask, HeldTransport) {
    let transport = HeldTransport()
    let task = try client(transport).startUnauthenticated(request, completion: completion)
    await transport.begun.waitRegardless()
    return (try #require(task), transport)
  }

  @Test("has the vendors' numbers of its states")
  func numbers() {
    let states: [NetworkTask.State] = [.running, .suspended, .cancelled, .completed]
    #expect(states.map(\.rawValue) == [0, 1, 2, 3])
  }

  @Test("runs by itself, has an identifier of its own, and ends with its response")
  func completes() async throws {
    let transport = HeldTransport()
    let client = try Self.client(transport)
    let told = FakeNotes()
    let task = try #require(
      client.startUnauthenticated(Self.request) { response, error in
        told.add("\(response?.status ?? 0) \(error == nil)")
      })
    let other = try #require(client.startUnauthenticated(Self.request))
    #expect(task.identifier != other.identifier)
    #expect(task.request.path == "/x")
    await transport.begun.waitRegardless()
    #expect(task.state == .running)
    #expect(task.response == nil && task.error == nil)
    transport.finish()
    await task.wait()
    await other.wait()
    #expect(task.state == .completed)
    #expect(task.response?.status == 200)
    #expect(task.error == nil)
    #expect(told.all == ["200 true"])
  }

  @Test("is suspended and resumed by the gate of its transfer")
  func suspends() async throws {
    let (task, transport) = try await Self.started()
    task.resume()
    #expect(task.state == .running)
    task.suspend()
    task.suspend()
    #expect(task.state == .suspended)
    #expect(transport.gate?.isSuspended == true)
    task.resume()
    #expect(task.state == .running)
    #expect(transport.gate?.isSuspended == false)
    transport.finish()
    await task.wait()
  }

  @Test("ends with -999 if it is cancelled, also while it is suspended", arguments: [false, true])
  func cancelled(isSuspended: Bool) async throws {
    let told = FakeNotes()
    let (task, transport) = try await Self.started { response, error in
      told.add("\(response == nil) \(error?.resource.number ?? 0)")
    }
    if isSuspended { task.suspend() }
    task.cancel()
    #expect(task.state == .cancelled)
    await task.wait()
    #expect(task.state == .cancelled)
    #expect(task.error?.code == .cancelled)
    #expect(told.all == ["true -999"])
    #expect(transport.gate?.isSuspended == false)
  }

  @Test("never runs with a suspended transfer, however many suspend and resume it at once")
  func ordered() async throws {
    let (task, transport) = try await Self.started()
    for _ in 0..<200 {
      let both = FakeNotes()
      // Each waits for the other, so that they collide.
      for change in [task.suspend, task.resume] {
        Thread.detachNewThread {
          both.add("here")
          while both.all.count < 2 {}
          change()
          both.add("done")
        }
      }
      while both.all.count < 4 { sched_yield() }
      #expect(transport.gate?.isSuspended == (task.state == .suspended))
      task.resume()
    }
    transport.finish()
    await task.wait()
  }

  @Test("ends once, in the state that was told, when 1,000 are cancelled at any moment")
  func cancelledAtAnyMoment() async throws {
    let world = try World()
    let client = DeviceClient(try world.session(transport: QuickTransport()))
    let told = FakeNotes()
    let observers = client.client
    let before = try observers.session().resources.observers.all.count
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<1000 {
        group.addTask {
          let observer = SilentObserver()
          let resources = try? observers.session().resources
          resources?.register(observer)
          let task = client.startUnauthenticated(Self.request) { response, error in
            #expect((response == nil) == (error != nil))
            told.add("told")
          }
          guard let task else { return }
          if number % 3 == 0 { task.suspend() }
          for _ in 0..<(number % 7) { await Task.yield() }
          if number % 3 == 0, number % 2 == 0 { task.resume() } else { task.cancel() }
          resources?.unregister(observer)
          await task.wait()
          let isCancelled = task.error?.resource.number == -999
          #expect(task.state == (isCancelled ? .cancelled : .completed))
          #expect((task.response == nil) == isCancelled)
        }
      }
    }
    #expect(told.all.count == 1000)
    #expect(try observers.session().resources.observers.all.count == before)
  }

  @Test("is not changed by anything after its end")
  func ended() async throws {
    let transport = HeldTransport()
    transport.finish()
    let client = try Self.client(transport)
    let task = try #require(client.startUnauthenticated(Self.request))
    await task.wait()
    task.cancel()
    task.suspend()
    task.resume()
    #expect(task.state == .completed)
    #expect(task.error == nil)
  }

  @Test(
    "is not made for a request that cannot be sent: the completion has been called",
    arguments: [
      (ResourceRequest("BREW", "/x"), 10010),
      (ResourceRequest("GET", "/x", headers: [("Authorization", "a")]), 10019),
    ])
  func malformed(request: ResourceRequest, number: Int) throws {
    let transport = HeldTransport()
    let client = try Self.client(transport)
    let told = FakeNotes()
    let task = client.startUnauthenticated(request) { response, error in
      told.add("\(response == nil) \(error?.resource.number ?? 0)")
    }
    #expect(task == nil)
    #expect(told.all == ["true \(number)"])
    #expect(transport.gate == nil)
  }

  @Test("fails if nobody is logged in: 9010, 9026 and 10012")
  func unauthenticated() async throws {
    let world = try World()
    let session = try world.session()
    let starts: [(@escaping NetworkTask.Completion) -> NetworkTask?] = [
      { UserClient(session).start(Self.request, completion: $0) },
      { UserClient(session).startImplicit(Self.request, completion: $0) },
      { DeviceClient(session).start(Self.request, completion: $0) },
    ]
    var numbers: [Int?] = []
    for start in starts {
      let told = OneShot<Int?>()
      let task = start { told.set($0 == nil ? $1?.resource.number : nil) }
      #expect(task != nil)
      numbers.append(await told.wait() ?? nil)
    }
    #expect(numbers == [9010, 9026, 10012])
    #expect(world.transport.sent.isEmpty)
  }
}

/// A transport whose requests wait until they are allowed to end.
private final class HeldTransport: Transport {
  let begun = OneShot<Bool>()
  private let end = OneShot<Bool>()
  private let seen = Mutex<TransferGate?>(nil)

  /// The gate of the last request.
  var gate: TransferGate? { seen.withLock { $0 } }

  func finish() { end.set(true) }

  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    seen.withLock { $0 = request.gate }
    begun.set(true)
    guard await end.wait() != nil else { throw TransportError(.cancelled, "cancelled") }
    return HTTPResponse(status: 200, url: request.url)
  }
}

/// A transport that returns at once, as soon as its gate is open.
private struct QuickTransport: Transport {
  func send(
    _ request: HTTPRequest, receiving body: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    await request.gate?.waitUntilOpen()
    guard !Task.isCancelled else { throw TransportError(.cancelled, "cancelled") }
    return HTTPResponse(status: 200, url: request.url)
  }
}

private final class SilentObserver: RequestObserver {
  func reauthenticate(after refusal: CredentialRefusal) async throws(SDKError) {}
  func answersRefusal(of provider: AuthorizationProvider, as access: Access) -> Bool { false }
}
