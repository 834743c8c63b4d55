/// The items of a batch that have been read and not started yet, in their order.
///
/// An item whose host has all the requests that it may have waits; a later one for another host may
/// start before it.
struct BatchQueue<Item: Sendable> {
  private let limit: Int?
  private var waiting: [(host: String, item: Item)] = []
  private var running: [String: Int] = [:]

  /// - Parameter limit: how many items of a host may run; `nil` for any number.
  init(limitPerHost limit: Int?) { self.limit = limit }

  /// How many items wait.
  var count: Int { waiting.count }

  /// Whether an item may start now.
  var hasStartable: Bool { startable != nil }

  mutating func append(_ item: Item, host: String) { waiting.append((host, item)) }

  /// Takes the first item that may start, and counts it as running.
  mutating func start() -> (host: String, item: Item)? {
    guard let index = startable else { return nil }
    let next = waiting.remove(at: index)
    running[next.host, default: 0] += 1
    return next
  }

  /// An item of that host has ended.
  mutating func end(host: String) {
    let left = (running[host] ?? 0) - 1
    running[host] = left > 0 ? left : nil
  }

  /// Drops what waits.
  mutating func removeAll() { waiting = [] }

  private var startable: Int? {
    guard let limit else { return waiting.isEmpty ? nil : 0 }
    return waiting.firstIndex { (running[$0.host] ?? 0) < limit }
  }
}
