package import Checkup
package import HTTP
package import POSIX
import Primitives
import SDKCore

/// Something that shows a web page to a person.
package protocol BrowserPort: Sendable {
  /// Opens a page; returns whether a browser was started.
  func open(_ url: HTTPURL, _ environment: Environment) async -> Bool
  /// The program that would show a page.
  func choice(_ environment: Environment) -> BrowserChoice
}

/// The browser that the environment names, else that of the desktop.
package struct SystemBrowser: BrowserPort {
  package init() {}

  /// Tries the browsers in turn; one that ends at once with an error has not opened anything.
  package func open(_ url: HTTPURL, _ environment: Environment) async -> Bool {
    for words in Self.candidates(environment) {
      guard let program = words.first.flatMap({ Spawn.find($0, in: environment) }) else {
        continue
      }
      let arguments = words.dropFirst().map { $0 == "%s" ? url.description : $0 }
      let all = words.contains("%s") ? Array(arguments) : arguments + [url.description]
      guard
        let process = try? Spawn.detached(
          program, all, environment: environment.forHelpers)
      else { continue }
      let end = await process.ended(within: .milliseconds(500))
      if end == nil || end?.isSuccess == true { return true }
    }
    return false
  }

  /// The first of the browsers that exists.
  package func choice(_ environment: Environment) -> BrowserChoice {
    let names = Self.candidates(environment).compactMap(\.first)
    for name in names {
      if let program = Spawn.find(name, in: environment) { return .program(program) }
    }
    return environment["BROWSER"].flatMap { $0.isEmpty ? nil : names.first }.map {
      .missing(VisibleText.of($0))
    } ?? .absent
  }

  /// `BROWSER` is a colon-separated list of commands; without it, what desktops offer.
  private static func candidates(_ environment: Environment) -> [[String]] {
    if let list = environment["BROWSER"], !list.isEmpty {
      return list.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
    }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      !(environment[$0] ?? "").isEmpty
    }
    guard hasDisplay else { return [] }
    return [["xdg-open"], ["sensible-browser"], ["x-www-browser"], ["wslview"]]
  }
}
