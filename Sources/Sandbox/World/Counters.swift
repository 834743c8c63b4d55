import JSON

/// How often each thing happened, so that a test can say "exactly one refresh".
struct Counters: Sendable {
  private(set) var endpoints: [String: Int] = [:]
  private(set) var grants: [String: Int] = [:]
  private(set) var faults: [String: Int] = [:]

  mutating func count(endpoint: Endpoint) { endpoints[endpoint.rawValue, default: 0] += 1 }
  mutating func count(grant: String) { grants[grant, default: 0] += 1 }
  mutating func count(fault: Fault) { faults[fault.rawValue, default: 0] += 1 }

  var json: JSON {
    [
      "endpoints": Self.object(endpoints), "grants": Self.object(grants),
      "faults": Self.object(faults),
    ]
  }

  private static func object(_ counts: [String: Int]) -> JSON {
    .object(JSONObject(counts.map { ($0.key, .int($0.value)) }))
  }
}
