import JSON

/// The faults that wait for their moment.
struct FaultBoard: Sendable {
  struct Armed: Sendable, Equatable {
    let fault: Fault
    /// How often it still strikes; nothing means until it is cleared.
    var remaining: Int?
    /// The only endpoint it strikes, if it was armed for one.
    let endpoint: Endpoint?
  }

  private(set) var armed: [Armed] = []

  /// How late an answer is with the fault `latency`.
  private(set) var delay = Self.standardDelay

  static let standardDelay: Duration = .seconds(3)

  /// Arms a fault, in place of the same one armed before.
  mutating func arm(
    _ fault: Fault, times: Int?, on endpoint: Endpoint? = nil, delay: Duration? = nil
  ) {
    if fault == .latency { self.delay = delay ?? Self.standardDelay }
    armed.removeAll { $0.fault == fault && $0.endpoint == endpoint }
    armed.append(Armed(fault: fault, remaining: times, endpoint: endpoint))
  }

  mutating func clear() { armed = [] }

  /// The next fault of a place, counted as having struck.
  ///
  /// Faults that were armed for no endpoint strike everywhere, unless only those armed for this
  /// very one are wanted.
  mutating func take(
    _ place: Fault.Place, at endpoint: Endpoint?, onlyItsOwn: Bool = false
  ) -> Fault? {
    let index = armed.firstIndex { one in
      one.fault.place == place
        && (one.endpoint == endpoint || (one.endpoint == nil && !onlyItsOwn))
    }
    guard let index else { return nil }
    let fault = armed[index].fault
    if let remaining = armed[index].remaining {
      armed[index].remaining = remaining - 1
      if remaining <= 1 { armed.remove(at: index) }
    }
    return fault
  }

  var json: JSON {
    .array(
      armed.map { one in
        [
          "fault": .string(one.fault.rawValue), "remaining": one.remaining.map(JSON.int) ?? .null,
          "on": one.endpoint.map { .string($0.rawValue) } ?? .null,
        ]
      })
  }
}
