import CoreTestSupport

@testable import SDKCore

@Suite("Settings of a module that a program does not have")
struct LoginMethodTests {
  @Test(
    "keep a profile from being opened, and nothing else does",
    arguments: [
      (["form": ["url": "https://id.test/login"]], "form"), (["form": ["page": true]], "form"),
      (["fido": ["url": "https://id.test/fido"]], "fido"),
      (["identity": ["obtain": "est"]], "identity.obtain"),
      (["reauthenticate": "form"], nil), (["identity": ["key": "p256", "when": "asked"]], nil),
      (["later": "x"], nil), (["x-mine": ["url": "https://id.test"]], nil), ([:], nil),
    ] as [(JSONObject, String?)])
  func missing(settings: JSONObject, part: String?) async throws {
    let world = try World()
    let members = try world.store.profile(world.name).members
    try world.store.save(
      try Profile(name: world.name, members: members.merging(settings) { $1 }))
    guard let part else {
      _ = try world.session()
      return
    }
    await expect(
      .unavailable, "could not open the profile 'work': this program has no module for '\(part)'"
    ) { _ = try world.session() }
  }
}
