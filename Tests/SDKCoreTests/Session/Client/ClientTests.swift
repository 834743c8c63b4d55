import CoreTestSupport

@testable import SDKCore

@Suite("The clients of the vendors' SDKs", .serialized)
struct ClientTests {
  private static let request = ResourceRequest("GET", "/x")

  @Test("throw 'not configured' (10001) from each way to send, and start no task, before configure")
  func unconfigured() async throws {
    Client.reset()
    let client = Client.shared
    for access in Access.allCases {
      let error = await #expect(throws: SDKError.self) {
        switch access {
        case .user: _ = try await client.userClient.send(Self.request)
        case .implicit: _ = try await client.userClient.sendImplicit(Self.request)
        case .anonymous: _ = try await client.deviceClient.send(Self.request)
        case .unauthenticated: _ = try await client.deviceClient.sendUnauthenticated(Self.request)
        }
      }
      #expect(error?.resource == .configurationInvalid)
      #expect(error?.resource.number == 10001)
    }
    let error = await #expect(throws: SDKError.self) { try await client.userClient.token() }
    #expect(error?.resource == .configurationInvalid)
    let told = FakeNotes()
    let task = client.userClient.start(Self.request) { response, error in
      told.add("\(response == nil) \(error?.resource.number ?? 0)")
    }
    #expect(task == nil)
    #expect(told.all == ["true 10001"])
  }

  @Test("are those of the profile after configure, until another one is configured")
  func configured() async throws {
    defer { Client.reset() }
    let world = try World()
    world.transport.respond("https://api.test/v1/x", .status(200, "one"))
    Client.configure(
      Client(profile: world.name, in: world.store, transport: world.transport))
    let response = try await Client.shared.deviceClient.sendUnauthenticated(Self.request)
    #expect(String(decoding: response.body, as: UTF8.self) == "one")
    try await world.store("u1")
    #expect(try await Client.shared.userClient.token().accessToken == "u1")
    let empty = try TemporaryFolder()
    Client.configure(
      Client(in: ProfileStore(StoreLocation(home: empty.path)), transport: world.transport))
    let error = await #expect(throws: SDKError.self) {
      _ = try await Client.shared.deviceClient.sendUnauthenticated(Self.request)
    }
    #expect(error?.message == "could not use the client: no profile is current")
    #expect(error?.resource.number == 10001)
  }

  @Test(
    "deliver an HTTP error status as a response with an error of the transport",
    arguments: [404, 503])
  func status(status: Int) async throws {
    let world = try World()
    world.transport.respond("https://api.test/v1/x", .status(status, "no"))
    let client = DeviceClient(try world.session())
    let response = try await client.sendUnauthenticated(Self.request)
    #expect(response.error?.resource == ResourceError(.transport, "HTTPStatus", status))
    let told = FakeNotes()
    let task = client.startUnauthenticated(Self.request) { response, error in
      told.add("\(response?.status ?? 0) \(error?.resource.number ?? 0)")
    }
    await task?.wait()
    #expect(told.all == ["\(status) \(status)"])
    #expect(task?.state == .completed)
    #expect(task?.response?.status == status)
    #expect(task?.error?.resource.number == status)
  }
}
