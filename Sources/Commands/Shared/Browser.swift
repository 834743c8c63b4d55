import HTTP
import POSIX
import SDKCore

/// Shows a URL to a person: in a browser, and always as text.
struct Browser {
  let context: Context

  /// Shows a challenge; one that is issued again shows why, for its URL is the same.
  func present(_ challenge: BrowserChallenge, opens: Bool) async {
    if let flaw = challenge.flaw {
      context.warn("the address is not the response to this request: \(flaw); still waiting")
      return
    }
    let url = challenge.url
    guard opens else {
      context.warn("open this URL in a browser:")
      context.warn(url: url)
      return
    }
    if context.environment.forbidsQuestions {
      challenge.giveUp(Environment.questionsAreForbidden, remedy: nil)
    } else if await visit(challenge.launchURL) {
      context.note("waiting for the browser; if none has opened, open this URL:")
      if !context.globals.quiet { context.warn(url: url) }
    } else if !isWatched {
      challenge.giveUp(
        "no browser could be started, and there is no terminal", remedy: .otherLogins)
    } else {
      context.warn("no browser could be started; open this URL:")
      context.warn(url: url)
    }
  }

  /// Whether a person may see what is printed.
  private var isWatched: Bool {
    context.terminal.isTerminal(.errors) || context.terminal.isTerminal(.input)
  }

  /// Opens a page from which nothing comes back; returns whether a browser was started.
  func visit(_ url: HTTPURL) async -> Bool {
    await context.ports.browser.open(url, context.environment)
  }
}
