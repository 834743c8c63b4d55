import CoreTestSupport

@testable import SDKCore

@Suite("Settings of a module that a program does not have")
struct LoginMethodTests {
  @Test(
    "keep a profile from being opened, and nothing else does",
    arguments: [
      (["form": ["url": "https://id.test/login"]], false), (["form": ["page": true]], false),
      (["reauthenticate": "form"], true), (["identity": ["key": "p256"]], true),
      (["later": "x"], true), (["x-mine": ["url": "https://id.test"]], true), ([:], true),
    ] as [(JSONObject, Bool)])
  func missing(settings: JSONObject, isOpened: Bool) async throws {
    let world = try World()
    let members = try world.store.profile(world.name).members
    try world.store.save(
      try Profile(name: world.name, members: members.merging(settings) { $1 }))
    if isOpened {
      _ = try world.session()
    } else {
      await expect(
        .unavailable,
        "could not open the profile 'work': this program does not know the settings 'form'"
      ) { _ = try world.session() }
    }
  }
}
