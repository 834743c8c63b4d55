/// The items of a batch that have been read and not started yet, in their order.
///
/// An item waits while its host has as many running requests as the limit allows; a later item for
/// another host may start before it.
struct BatchQueue<Item: Sendable> {
  private let limit: Int?
  /// The items; those before index ``first`` have started.
  private var waiting: [(host: String, item: Item)?] = []
  private var first = 0
  private var running: [String: Int] = [:]

  /// - Parameter limit: how many items of a host may run; `nil` for any number.
  init(limitPerHost limit: Int?) { self.limit = limit }

  /// How many items wait.
  var count: Int { waiting.count - first }

  /// Whether an item may start now.
  var hasStartable: Bool { startable != nil }

  mutating func append(_ item: Item, host: String) { waiting.append((host, item)) }

  /// Takes the first item that may start, and counts it as running.
  mutating func start() -> (host: String, item: Item)? {
    guard let index = startable, let next = waiting[index] else { return nil }
    if limit != nil { running[next.host, default: 0] += 1 }
    remove(at: index)
    return next
  }

  /// Notes that an item of a host has ended.
  mutating func noteEnd(host: String) {
    if limit == nil { return }
    let left = (running[host] ?? 0) - 1
    running[host] = left > 0 ? left : nil
  }

  /// Drops the waiting items.
  mutating func removeAll() {
    waiting = []
    first = 0
  }

  private var startable: Int? {
    guard let limit else { return first < waiting.count ? first : nil }
    return waiting[first...].firstIndex { $0.map { (running[$0.host] ?? 0) < limit } ?? false }
  }

  private mutating func remove(at index: Int) {
    guard index == first else {
      waiting.remove(at: index)
      return
    }
    // Removing the first element moves all others, so 64 are removed at once.
    waiting[first] = nil
    first += 1
    guard first >= 64 else { return }
    waiting.removeFirst(first)
    first = 0
  }
}
