import Testing

@testable import Checkup
@testable import SDKCore

@Suite("Layout of the store")
struct StoreLayoutTests {
  @Test(
    "knows every file of the store",
    arguments: [
      (.config, "config.json", .document(.shared)),
      (.config, "profiles/work/pins.json", .document(.shared)),
      (.state, "profiles.lock", .lock),
      (.state, "profiles/work/shared/one/users/bob/dpop.json", .document(.secret)),
      (.state, "profiles/work/locks/identity-a.lock", .lock),
      (.state, "profiles/work", .directory), (.state, "profiles/work/users/bob", .directory),
      (.state, "sandbox", .other),
      (.cache, "issuers/00.json", .cached),
    ] as [(StoreLayout.Area, String, StoreLayout.Entry)])
  func known(area: StoreLayout.Area, path: String, entry: StoreLayout.Entry) {
    let names = path.split(separator: "/").map(String.init)
    #expect(StoreLayout.entries(names, in: area).contains(entry))
  }

  @Test(
    "knows nothing else",
    arguments: [
      (.config, "x"), (.config, "config.json/x"), (.config, "profiles/work/profile.json~"),
      (.config, "profiles/work/registration.json"), (.state, "config.json"),
      (.state, "profiles/work/credentials/user.txt"),
      (.state, "profiles/work/credentials/.user.json"),
      (.state, "profiles/.work/registration.json"),
      (.state, "profiles/work/users/bob/registration.json"),
      (.cache, "a/b/c.json"),
    ] as [(StoreLayout.Area, String)])
  func foreign(area: StoreLayout.Area, path: String) {
    #expect(StoreLayout.entries(path.split(separator: "/").map(String.init), in: area).isEmpty)
  }
}
