import CoreTestSupport

@testable import SDKCore

@Suite("The way to an account")
struct AccountTests {
  @Test(
    "is announced by the server, or a page of the profile, or missing",
    arguments: [
      (#"["create"]"#, nil, .promptCreate), (#"["create"]"#, "https://id.test/new", .promptCreate),
      (#"["none","login"]"#, "https://id.test/new", .page),
      (nil, "https://id.test/new", .page), (nil, nil, nil), (#""create""#, nil, nil),
    ] as [(String?, String?, Expected?)])
  func signUp(announced: String?, page: String?, expected: Expected?) async throws {
    let world = try World(page.map { ["accountURL": .string($0)] } ?? [:])
    if let announced {
      let member = #","prompt_values_supported":\#(announced)}"#
      world.transport.respond(World.metadataURL, .json(World.metadata.dropLast() + member))
    }
    let session = try world.session()
    guard let expected else {
      let error = await expect(
        .unsupported,
        "could not register an account: the server announces no prompt=create, and the profile has "
          + "no accountURL"
      ) { _ = try await session.account.way(to: .signUp) }
      #expect(error?.remedy == .setProfile(key: "accountURL", value: nil))
      return
    }
    switch try await session.account.way(to: .signUp) {
    case .promptCreate: #expect(expected == .promptCreate)
    case .page(let url):
      #expect(expected == .page)
      #expect(url.description == page)
    }
  }

  @Test("is the page of the profile when the server cannot be asked")
  func offline() async throws {
    let world = try World(["accountURL": "https://id.test/new"])
    world.transport.respond(World.metadataURL, .failure(.connection, "down"))
    guard case .page = try await world.session().account.way(to: .signUp) else {
      throw Unmet("another way")
    }
  }

  enum Expected: Sendable { case promptCreate, page }
}
