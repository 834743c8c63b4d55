import JSON
import Pinning
import Primitives
import SDKCore

/// What a host showed, held against its pins.
struct PinDrift: Sendable {
  enum Status: String, Sendable {
    case match, mismatch, expired, unpinned, untrusted, unreachable
  }

  let place: PinPlace
  let status: Status
  var matched: Pin?
  var chain: [ChainKey] = []
  var message: String?
  var details: [String] = []

  var json: JSON {
    [
      "host": .string(place.host), "port": .int(Int64(place.port)),
      "status": .string(status.rawValue),
      "matched": matched.map { .string($0.description) } ?? .null,
      "chain": .array(
        chain.map {
          [
            "pin": .string($0.pin.description), "role": .string($0.role.rawValue),
            "subject": .string($0.subject),
          ]
        }),
      "message": message.map { .string($0) } ?? .null,
    ]
  }

  /// Checks many places, sixteen at a time, and answers in their order.
  static func check(
    _ places: [PinPlace], _ session: ProfileSession, at now: Timestamp
  ) async -> [PinDrift] {
    await withTaskGroup(of: (Int, PinDrift).self) { group in
      var waiting = Array(places.enumerated())[...]
      var results: [Int: PinDrift] = [:]
      func startNext() {
        guard let (index, place) = waiting.popFirst() else { return }
        group.addTask { (index, await check(place, session, at: now)) }
      }
      for _ in 0..<16 { startNext() }
      while let (index, result) = await group.next() {
        results[index] = result
        startNext()
      }
      return places.indices.compactMap { results[$0] }
    }
  }

  private static func check(
    _ place: PinPlace, _ session: ProfileSession, at now: Timestamp
  ) async -> PinDrift {
    let set: PinSet
    switch session.pins.requirement(for: place.host, port: place.port, at: now) {
    case .pinned(let found): set = found
    case .expired: return PinDrift(place: place, status: .expired, message: "its pins have expired")
    case .none: return PinDrift(place: place, status: .unpinned, message: "it has no pins")
    }
    do {
      let chain = try await session.pinning.probe(host: place.host, port: place.port)
      if let error = chain.verificationError {
        return PinDrift(place: place, status: .untrusted, message: error)
      }
      return compare(place, chain.keys, with: set)
    } catch {
      return PinDrift(place: place, status: .unreachable, message: error.message)
    }
  }

  private static func compare(
    _ place: PinPlace, _ chain: [ChainKey], with set: PinSet
  ) -> PinDrift {
    switch set.evaluate(chain: chain, host: place.host) {
    case .success(let key):
      return PinDrift(place: place, status: .match, matched: key.pin, chain: chain)
    case .failure(let mismatch):
      return PinDrift(
        place: place, status: .mismatch, chain: chain, message: "no key of its chain is pinned",
        details: mismatch.lines)
    }
  }
}
