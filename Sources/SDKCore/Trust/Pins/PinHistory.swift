import JSON
public import Pinning
import Primitives

/// The keys that the hosts of a profile have shown, on disk: `pin-history.json`.
struct PinHistoryFile: Sendable {
  private let path: StorePath

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
      let keys = PinObservation.readable(list, of: endpoint)
      observations += keys.sorted { ($1.last, $0.role.order) < ($0.last, $1.role.order) }
    }
    return observations
  }

  /// Adds what endpoints showed; of each endpoint the latest sixty-four keys are kept, and of all endpoints
  /// those that were checked last, so that the file can always be read.
  func record(
    _ chains: [(endpoint: PinEndpoint, chain: PresentedChain)], at now: Timestamp
  ) throws(SDKError) {
    var document = try StoreDocument.existing(path, .secret, limit: Self.limit)
    var endpoints = document.members["endpoints"]?.object ?? [:]
    for (endpoint, chain) in chains where !chain.validated.isEmpty {
      let old = PinObservation.readable(endpoints[endpoint.stored], of: endpoint)
      let keys = PinObservation.merging(old, with: chain, of: endpoint, at: now)
      endpoints[endpoint.stored] = .array(keys.prefix(64).compactMap(\.stored))
    }
    document.members["endpoints"] = .object(Self.latest(endpoints))
    try document.write()
  }
}

extension PinHistoryFile {
  /// The endpoints that were checked last, with ten thousand keys at most.
  static func latest(_ endpoints: JSONObject) -> JSONObject {
    // Times in the form of RFC 3339, in UTC, are in the order of their texts.
    func last(_ list: JSON) -> String { list.array?.compactMap { $0["last"]?.string }.max() ?? "" }
    var (kept, left) = (JSONObject(), maximumCount)
    for (place, list) in endpoints.sorted.sorted(by: { last($0.value) > last($1.value) }) {
      left -= list.array?.count ?? 0
      guard left >= 0 else { break }
      kept[place] = list
    }
    return kept
  }

  /// A key takes about 300 bytes.
  static let maximumCount = 10_000

  /// Larger than what is written, because a file may have been written without a bound.
  static let limit = 64 << 20
}

extension PinObservation {
  fileprivate init(
    _ endpoint: PinEndpoint, _ fields: StoredFields, _ value: PinObservation? = nil
  ) throws(SDKError) {
    self.init(
      endpoint: endpoint, pin: try fields.required("pin", value?.pin, .form("a pin") { Pin($0) }),
      role: try fields.required("role", value?.role, .word),
      subject: try fields.optional("subject", value?.subject, .text) ?? "",
      certificateExpires: try fields.required(
        "certificateExpires", value?.certificateExpires, .date),
      first: try fields.required("first", value?.first, .date),
      last: try fields.required("last", value?.last, .date))
  }

  /// The observations of a list; those that cannot be read are left out, because the others still help.
  fileprivate static func readable(_ list: JSON?, of endpoint: PinEndpoint) -> [PinObservation] {
    (list?.array ?? []).compactMap { element in
      element.object.flatMap { try? PinObservation(endpoint, StoredFields($0, in: "")) }
    }
  }

  fileprivate var stored: JSON? {
    StoredType.object { (fields, value) throws(SDKError) in
      try PinObservation(endpoint, fields, value)
    }.write(self)
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
  fileprivate var order: Int { PinRole.allCases.firstIndex(of: self) ?? 0 }
}

extension PinService {
  /// The keys that hosts have shown to ``record(_:)``, by endpoint; the latest first.
  ///
  /// - Throws: ``SDKError`` if the history cannot be read.
  public func history() throws(SDKError) -> [PinObservation] {
    try PinHistoryFile(environment.location, profile.name).load()
  }

  /// Remembers the keys of the validated chains that a check has seen.
  ///
  /// - Throws: ``SDKError`` if the history cannot be written.
  public func record(_ findings: [PinFinding]) async throws(SDKError) {
    try await record(
      findings.compactMap { finding in finding.presented.map { (finding.endpoint, $0) } })
  }

  /// Remembers the keys of validated chains.
  ///
  /// - Throws: ``SDKError`` if the history cannot be written.
  public func record(
    _ chains: [(endpoint: PinEndpoint, chain: PresentedChain)]
  ) async throws(SDKError) {
    guard chains.contains(where: { !$0.chain.validated.isEmpty }) else { return }
    let history = PinHistoryFile(environment.location, profile.name)
    let time = environment.now()
    try await environment.locked(.pins) { () throws(SDKError) in
      try history.record(chains, at: time)
    }
  }
}
