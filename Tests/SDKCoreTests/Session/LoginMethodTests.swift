import CoreTestSupport
import JSON
import Testing

@testable import SDKCore

@Suite("Ways to log in that a program does not have")
struct LoginMethodTests {
  @Test(
    "keep a profile that needs one from being opened, and no other",
    arguments: [
      (["form.url": "https://id.test/login"], false),
      (["form.url": "https://id.test/login", "reauthenticate": "form"], false),
      (["form.url": "https://id.test/login", "reauthenticate": "refresh"], true),
      (["reauthenticate": "form"], true), ([:], true),
    ] as [(JSONObject, Bool)])
  func missing(settings: JSONObject, isOpened: Bool) async throws {
    let world = try World(settings)
    if isOpened {
      _ = try world.session()
    } else {
      await expect(
        .unavailable,
        "could not open the profile 'work': this program has no login of the kind 'form'"
      ) { _ = try world.session() }
    }
  }
}
