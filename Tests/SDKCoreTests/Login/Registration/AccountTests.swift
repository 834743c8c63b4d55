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

  @Test("after a forgotten password is a page of the profile, or missing")
  func reset() async throws {
    let world = try World()
    let session = try world.session()
    let error = await expect(
      .unsupported,
      "could not reset the password: there is no protocol for it, and the profile has no "
        + "resetPasswordURL"
    ) { _ = try await session.account.way(to: .passwordReset) }
    #expect(error?.subject == "resetPasswordURL")
    try world.set("resetPasswordURL", to: "https://id.test/forgotten")
    let way = try await world.session().account.way(to: .passwordReset)
    guard case .page(let url) = way else { throw Unmet("another way") }
    #expect(url.description == "https://id.test/forgotten")
    #expect(world.transport.sent.isEmpty)
  }

  enum Expected: Sendable { case promptCreate, page }
}
