import CoreTestSupport

@testable import SDKCore

@Suite("Store location")
struct StoreLocationTests {
  @Test(
    "follows SDKCTL_HOME, then the XDG directories, then HOME",
    arguments: [
      (
        "SDKCTL_HOME before all", ["SDKCTL_HOME": "/s", "XDG_CONFIG_HOME": "/x", "HOME": "/h"],
        "/s/config", "/s/state", "/s/cache"
      ),
      (
        "empty SDKCTL_HOME", ["SDKCTL_HOME": "", "HOME": "/h"], "/h/.config/sdkctl",
        "/h/.local/state/sdkctl", "/h/.cache/sdkctl"
      ),
      (
        "XDG", ["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/t", "XDG_CACHE_HOME": "/a"],
        "/c/sdkctl", "/t/sdkctl", "/a/sdkctl"
      ),
      (
        "relative XDG ignored",
        ["XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "./t", "XDG_CACHE_HOME": "", "HOME": "/h"],
        "/h/.config/sdkctl", "/h/.local/state/sdkctl", "/h/.cache/sdkctl"
      ),
      (
        "one XDG directory", ["XDG_STATE_HOME": "/t", "HOME": "/h"], "/h/.config/sdkctl",
        "/t/sdkctl", "/h/.cache/sdkctl"
      ),
    ] as [(String, [String: String], String, String, String)])
  func directories(
    name: String, environment: [String: String], config: String, state: String, cache: String
  ) throws {
    let location = try StoreLocation(Environment(environment))
    #expect(location.config == config)
    #expect(location.state == state)
    #expect(location.cache == cache)
  }

  @Test(
    "keeps the sockets of waiting logins where the desktop finds them",
    arguments: [
      (["HOME": "/h"], ["/h/.local/state/sdkctl/pending"]),
      (
        ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1"],
        ["/run/user/1/sdkctl", "/h/.local/state/sdkctl/pending"]
      ),
      (["HOME": "/h", "XDG_RUNTIME_DIR": "run"], ["/h/.local/state/sdkctl/pending"]),
      (["SDKCTL_HOME": "/s", "XDG_RUNTIME_DIR": "/run/user/1"], ["/s/state/pending"]),
    ] as [([String: String], [String])])
  func pending(environment: [String: String], places: [String]) throws {
    let location = try StoreLocation(Environment(environment))
    #expect(location.pending == places.first)
    #expect(location.pendingPlaces == places)
  }

  @Test("makes a relative SDKCTL_HOME absolute")
  func relative() throws {
    let location = try StoreLocation(Environment(["SDKCTL_HOME": "here"]))
    #expect(location.config == (try Paths.absolute("here")) + "/config")
    #expect(location.config.hasPrefix("/"))
  }

  @Test(
    "does not exist without any of them",
    arguments: [
      ([:], "XDG_CONFIG_HOME"), (["HOME": ""], "XDG_CONFIG_HOME"),
      (["HOME": "here"], "XDG_CONFIG_HOME"), (["XDG_CONFIG_HOME": "/c"], "XDG_STATE_HOME"),
      (["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"], "XDG_CACHE_HOME"),
    ] as [([String: String], String)])
  func nowhere(environment: [String: String], variable: String) async {
    await expect(
      .invalidConfiguration,
      "could not find the store: neither SDKCTL_HOME, \(variable) nor HOME is set"
    ) { _ = try StoreLocation(Environment(environment)) }
  }

  @Test("is in the home directory of the user database without HOME")
  func account() throws {
    let service = Environment(values: [:], accountHome: "/var/lib/service")
    let location = try StoreLocation(service)
    #expect(location.config == "/var/lib/service/.config/sdkctl")
    #expect(location.state == "/var/lib/service/.local/state/sdkctl")
    let own = Environment(values: ["HOME": Array("/h".utf8)], accountHome: "/elsewhere")
    #expect(try StoreLocation(own).config == "/h/.config/sdkctl")
  }

  @Test(
    "is refused rather than made elsewhere when its path is not UTF-8",
    arguments: [
      "SDKCTL_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
      "HOME",
    ])
  func broken(variable: String) async {
    var values = ["HOME": Array("/h".utf8)]
    values[variable] = Array("/s".utf8) + [0xFF]
    let environment = Environment(values: values, accountHome: nil)
    await expect(
      .invalidConfiguration, "could not find the store: \(variable) is not UTF-8"
    ) { _ = try StoreLocation(environment) }
  }

  @Test("names the files of a profile")
  func files() throws {
    let location = StoreLocation(home: "/s")
    let name = try ProfileName("work")
    #expect(location.configuration.text == "/s/config/config.json")
    #expect(location.profiles == "/s/config/profiles")
    #expect(location.configuration(of: name) == "/s/config/profiles/work")
    #expect(location.state(of: name) == "/s/state/profiles/work")
    #expect(location.lock(.user, of: name).text == "/s/state/profiles/work/locks/user.lock")
  }
}
