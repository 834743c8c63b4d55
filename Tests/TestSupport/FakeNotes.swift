import Synchronization

/// What callbacks leave behind, in order.
package final class Noted<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  package init() {}

  package var all: [Value] { values.withLock { $0 } }

  package func add(_ value: Value) { values.withLock { $0.append(value) } }
}

package typealias FakeNotes = Noted<String>
