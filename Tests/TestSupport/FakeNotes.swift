import Synchronization

/// Texts that callbacks leave behind, in order.
package final class FakeNotes: Sendable {
  private let texts = Mutex<[String]>([])

  package init() {}

  package var all: [String] { texts.withLock { $0 } }

  package func add(_ text: String) { texts.withLock { $0.append(text) } }
}
