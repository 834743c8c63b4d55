import JSON

/// Where tokens can be sent to: the devices of the people, and what was sent.
struct DispatchTargets: Sendable {
  struct Target: Sendable {
    let id: String
    let extID: String
    let subject: String
    let deviceID: String?
    var name: String
    var target: String
    var dispatcher: String
    let signatureKey: VerificationKey
    let encryptionKey: PayloadPeer?

    /// The target as a query lists it.
    var json: JSON {
      var members: JSONObject = [
        "id": .string(id), "extId": .string(extID), "name": .string(name),
        "target": .string(target), "dispatcher": .string(dispatcher),
      ]
      members["deviceId"] = deviceID.map(JSON.string)
      return .object(members)
    }
  }

  private var byID: [String: Target] = [:]
  /// The requests for a change that were seen: none counts twice.
  private var seen: [String: Int] = [:]
  /// What was sent to targets; the sandbox has no push service.
  private(set) var messages: [JSON] = []

  /// Where the sandbox can send a token: into its own list of messages, or back to the caller.
  static let dispatchers = ["sandbox-push", "firebase-cloud-messaging", "link", "png-qr-code"]
  /// How far the clock of a device may be off, in seconds.
  static let clockSkew = 300

  subscript(id: String) -> Target? { byID[id] }

  func targets(of subject: String) -> [Target] {
    byID.values.filter { $0.subject == subject }.sorted { $0.name < $1.name }
  }

  func isFree(_ name: String, for subject: String, except id: String? = nil) -> Bool {
    !byID.values.contains { $0.subject == subject && $0.name == name && $0.id != id }
  }

  mutating func put(_ target: Target) { byID[target.id] = target }

  mutating func remove(_ id: String) { byID[id] = nil }

  /// Notes the identifier of a request for a change; false if it was seen or its time is off.
  mutating func isFirst(_ identifier: String, issuedAt: Int, now: Int) -> Bool {
    seen = seen.filter { now - $0.value <= 2 * Self.clockSkew }
    guard abs(now - issuedAt) <= Self.clockSkew, seen[identifier] == nil else { return false }
    seen[identifier] = now
    return true
  }

  mutating func send(_ message: JSON, to target: Target) {
    if messages.count >= 100 { messages.removeFirst() }
    messages.append(["target": .string(target.target), "id": .string(target.id), "data": message])
  }
}
