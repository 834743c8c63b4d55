import Checkup
import CoreTestSupport

@testable import Commands
@testable import SDKCore

@Suite("The browser of the environment")
struct BrowserPortTests {
  /// A folder with the programs `tool` and `xdg-open`, which note their arguments.
  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["tool", "xdg-open"] {
      try folder.write(
        "#!/bin/sh\necho \"$@\" >>'\(folder.path)/\(name).log'\n", to: name, mode: 0o755)
    }
    return folder
  }

  @Test(
    "is the first of BROWSER that exists, or that of a desktop if there is a display",
    arguments: [
      (["BROWSER": "none:tool:xdg-open"], "tool"), (["BROWSER": "none"], nil), ([:], nil),
      (["DISPLAY": ":0"], "xdg-open"), (["WAYLAND_DISPLAY": "w"], "xdg-open"),
      (["DISPLAY": ""], nil), (["BROWSER": "", "DISPLAY": ":0"], "xdg-open"),
      (["BROWSER": "tool", "DISPLAY": ":0"], "tool"),
    ] as [([String: String], String?)])
  func choice(variables: [String: String], name: String?) throws {
    let folder = try Self.folder()
    let environment = Environment(variables.merging(["PATH": folder.path]) { $1 })
    let choice = SystemBrowser().choice(environment)
    if case .program(let path) = choice {
      #expect(path == name.map(folder.file))
    } else {
      #expect(name == nil)
    }
  }

  @Test("opens a page once")
  func open() async throws {
    let folder = try Self.folder()
    let environment = Environment(["PATH": folder.path, "BROWSER": "none:tool %s -x:xdg-open"])
    #expect(await SystemBrowser().open(try HTTPURL("https://id.test/a"), environment))
    #expect(!folder.exists("xdg-open.log"))
    let other = Environment(["PATH": folder.path, "BROWSER": "none"])
    #expect(await !SystemBrowser().open(try HTTPURL("https://id.test/a"), other))
  }
}
