import HTTP
import OAuth
import Primitives
import Synchronization

/// The secrets that a session has sent or received, which no line of its trace may show.
package final class TraceSecrets: Sendable {
  package typealias PageReader = @Sendable (_ page: [UInt8], TraceSecrets) -> Void

  private let known = Mutex<Set<String>>([])
  /// Names of parameters and header fields that a profile or a page says are secrets.
  private let names: Mutex<Set<String>>

  /// Who learns the secrets of pages; without them, no page is shown.
  let pageReaders: [PageReader]

  /// Adds names of parameters and header fields that are secrets, to the usual ones.
  package init(names: [String] = [], pageReaders: [PageReader] = []) {
    self.names = Mutex(Set(names.map(\.asciiLowercased)))
    self.pageReaders = pageReaders
  }

  /// Remembers that a parameter is a secret, whatever its name looks like.
  package func learn(parameter name: String) {
    _ = names.withLock { $0.insert(name.asciiLowercased) }
  }

  /// Remembers a secret.
  ///
  /// One of a few characters is remembered only if it was chosen, as passwords are.
  package func learn(_ secret: String, isChosen: Bool = false) {
    guard isChosen || secret.utf8.count >= SecretNames.short else { return }
    _ = known.withLock { $0.insert(secret) }
  }

  /// Remembers the value of a parameter or a header field, which is a secret by its name.
  package func learn(_ secret: String, of name: String) {
    learn(secret, isChosen: SecretNames.isChosen(name) || isNamed(name))
  }

  /// The text without all known secrets; a line with a short one is redacted as a whole.
  package func redacted(_ text: String) -> String {
    // The longest first, because one may contain another.
    let secrets = known.withLock { $0 }.sorted { $0.utf8.count > $1.utf8.count }
    let short = secrets.filter { $0.utf8.count < SecretNames.short }
    let shown = secrets.dropLast(short.count)
      .reduce(text) { $1.utf8.count <= $0.utf8.count ? $0.redacting($1) : $0 }
    return shown.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      short.contains { String(line).redacting($0) != line } ? Self.mark : String(line)
    }.joined(separator: "\n")
  }

  package static let mark = "‹redacted›"

  package func isSecret(parameter name: String) -> Bool {
    SecretNames.isSecret(parameter: name) || isNamed(name)
  }

  /// Whether a member of a JSON object is a secret: `code` and the like are ordinary words there.
  func isSecret(member name: String) -> Bool {
    isNamed(name)
      || !["code", "request", "response", "pin", "pass", "tan"].contains(name)
        && SecretNames.isSecret(parameter: name)
  }

  package func isSecret(field name: String) -> Bool {
    SecretNames.isSecret(field: name) || isNamed(name)
  }

  private func isNamed(_ name: String) -> Bool {
    names.withLock { $0.contains(name.asciiLowercased) }
  }
}
