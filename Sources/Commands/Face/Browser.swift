import HTTP
import POSIX
import SDKCore

/// Shows a URL to a person: in a browser, and always as text.
struct Browser {
  let context: Context

  /// Shows a challenge; one that is issued again shows why, for its URL is the same.
  func present(_ challenge: BrowserChallenge, opens: Bool) async {
    if let flaw = challenge.flaw {
      context.warn("what came back is not the answer: \(flaw); waiting on")
      return
    }
    let url = challenge.url
    guard opens else {
      context.errors.write("sdkctl: open this URL in a browser:\n\(url)\n")
      return
    }
    if await open(challenge.launchURL) {
      context.note("waiting for the browser; if none has opened, open this URL:\n\(url)")
    } else {
      context.errors.write("sdkctl: no browser could be started; open this URL:\n\(url)\n")
    }
  }

  /// Opens a page from which nothing comes back; whether a browser was started.
  func visit(_ url: HTTPURL) async -> Bool { await open(url) }

  /// Tries the browsers in turn; one that ends at once with an error has not opened anything.
  private func open(_ url: HTTPURL) async -> Bool {
    for words in candidates {
      guard let program = words.first.flatMap({ Spawn.find($0, in: context.environment) }) else {
        continue
      }
      let arguments = words.dropFirst().map { $0 == "%s" ? url.description : $0 }
      let all = words.contains("%s") ? Array(arguments) : arguments + [url.description]
      guard
        let process = try? Spawn.detached(
          program, all, environment: context.environment.removing(Self.secrets))
      else { continue }
      let end = await process.ended(within: .milliseconds(500))
      if end == nil || end?.isSuccess == true { return true }
    }
    return false
  }

  /// `BROWSER` is a colon-separated list of commands; without it, what desktops offer.
  private var candidates: [[String]] {
    if let list = context.environment["BROWSER"], !list.isEmpty {
      return list.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
    }
    let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains {
      !(context.environment[$0] ?? "").isEmpty
    }
    guard hasDisplay else { return [] }
    return [["xdg-open"], ["sensible-browser"], ["x-www-browser"], ["wslview"]]
  }

  /// What a browser and its children have no business to know.
  private static let secrets = ["SDKCTL_TOKEN", "BEARER_TOKEN"]
}
