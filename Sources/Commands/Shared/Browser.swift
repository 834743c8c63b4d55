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
    if await visit(challenge.launchURL) {
      context.note("waiting for the browser; if none has opened, open this URL:\n\(url)")
    } else {
      context.errors.write("sdkctl: no browser could be started; open this URL:\n\(url)\n")
    }
  }

  /// Opens a page from which nothing comes back; returns whether a browser was started.
  func visit(_ url: HTTPURL) async -> Bool {
    await context.ports.browser.open(url, context.environment)
  }
}
