import JSON
import Pinning
import Primitives

/// The keys that the hosts of a profile have shown, on disk: `pin-history.json`.
struct PinHistoryFile: Sendable {
  private let path: StorePath

  /// Opens the history of a profile; nothing is read yet.
  init(_ location: StoreLocation, _ profile: ProfileName) {
    path = location.stateFile("profiles/\(profile)/pin-history.json")
  }

  /// Reads the observations: by endpoint, those that were seen last first.
  func load() throws(SDKError) -> [PinObservation] {
    guard let document = try StoreDocument.read(path, .secret, limit: Self.limit) else {
      return []
    }
    var observations: [PinObservation] = []
    for (place, list) in document.members["endpoints"]?.object?.sorted ?? [] {
      guard let endpoint = PinEndpoint(stored: place) else { continue }
      let keys = (list.array ?? []).compactMap { PinObservation(endpoint, stored: $0) }
      observations += keys.sorted { ($1.last, $0.role.order) < ($0.last, $1.role.order) }
    }
    return observations
  }

  /// Adds what endpoints showed; of each endpoint the latest sixty-four keys are kept, and of all endpoints
  /// those that were checked last, so that the file can always be read.
  func record(
    _ chains: [(endpoint: PinEndpoint, chain: PresentedChain)], at now: Timestamp
  ) throws(SDKError) {
    var document =
      try StoreDocument.read(path, .secret, limit: Self.limit)
      ?? StoreDocument(path: path, secrecy: .secret)
    var endpoints = document.members["endpoints"]?.object ?? [:]
    for (endpoint, chain) in chains where !chain.validated.isEmpty {
      let old = (endpoints[endpoint.stored]?.array ?? []).compactMap {
        PinObservation(endpoint, stored: $0)
      }
      let keys = PinObservation.merging(old, with: chain, of: endpoint, at: now)
      endpoints[endpoint.stored] = .array(keys.prefix(64).map(\.stored))
    }
    document.members["endpoints"] = .object(Self.latest(endpoints))
    try document.write()
  }
}

extension PinHistoryFile {
  /// The endpoints that were checked last, with ten thousand keys at most.
  static func latest(_ endpoints: JSONObject) -> JSONObject {
    func count(_ list: JSON) -> Int { list.array?.count ?? 0 }
    guard endpoints.reduce(0, { $0 + count($1.value) }) > maximumCount else { return endpoints }
    // Times in the form of RFC 3339, in UTC, are in the order of their texts.
    func last(_ list: JSON) -> String { list.array?.compactMap { $0["last"]?.string }.max() ?? "" }
    var (kept, left) = (JSONObject(), maximumCount)
    for (place, list) in endpoints.sorted.sorted(by: { last($0.value) > last($1.value) }) {
      left -= count(list)
      guard left >= 0 else { break }
      kept[place] = list
    }
    return kept
  }

  /// A key takes about 300 bytes.
  static let maximumCount = 10_000

  /// Larger than what is written, because a file may have been written without a bound.
  static let limit = 256 << 20
}

extension PinObservation {
  /// The old observations with those of a chain before them.
  static func merging(
    _ old: [PinObservation], with chain: PresentedChain, of endpoint: PinEndpoint,
    at now: Timestamp
  ) -> [PinObservation] {
    let fresh = zip(chain.validated, chain.keys).map { certificate, key in
      PinObservation(
        endpoint: endpoint, pin: key.pin, role: key.role, subject: key.subject,
        certificateExpires: certificate.notAfter,
        first: old.first { $0.pin == key.pin }?.first ?? now, last: now)
    }
    let pins = Set(fresh.map(\.pin))
    return fresh + old.filter { !pins.contains($0.pin) }.sorted { $0.last > $1.last }
  }

  fileprivate init?(_ endpoint: PinEndpoint, stored: JSON) {
    func time(_ name: String) -> Timestamp? { stored[name]?.string.flatMap { Timestamp($0) } }
    guard let pin = stored["pin"]?.string.flatMap({ Pin($0) }),
      let role = PinRole(identifier: stored["role"]?.string ?? ""),
      let expires = time("certificateExpires"), let first = time("first"), let last = time("last")
    else { return nil }
    self.init(
      endpoint: endpoint, pin: pin, role: role, subject: stored["subject"]?.string ?? "",
      certificateExpires: expires, first: first, last: last)
  }

  fileprivate var stored: JSON {
    [
      "pin": .string(pin.description), "role": .string(role.rawValue),
      "subject": .string(subject),
      "certificateExpires": .string(certificateExpires.description),
      "first": .string(first.description), "last": .string(last.description),
    ]
  }
}

extension PinEndpoint {
  /// The member of an endpoint: the port stands behind the last colon.
  fileprivate var stored: String { "\(host):\(port)" }

  fileprivate init?(stored text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    self.init(host: String(text[..<colon]), port: port)
  }
}

extension PinRole {
  /// The place in a chain, leaf first.
  fileprivate var order: Int { PinRole.allCases.firstIndex(of: self) ?? 0 }
}
