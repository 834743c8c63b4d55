import JSON

/// Where tokens could be sent to: the devices of the people.
struct DispatchTargets: Sendable {
  struct Target: Sendable {
    let id: String
    let extID: String
    let subject: String
    let deviceID: String?
    let name: String
    let target: String
    let dispatcher: String

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

  /// The ways of sending that the sandbox knows by name; it sends nothing.
  static let dispatchers = ["sandbox-push", "firebase-cloud-messaging", "link", "png-qr-code"]

  subscript(id: String) -> Target? { byID[id] }

  func targets(of subject: String) -> [Target] {
    byID.values.filter { $0.subject == subject }.sorted { $0.name < $1.name }
  }

  func isFree(_ name: String, for subject: String) -> Bool {
    !byID.values.contains { $0.subject == subject && $0.name == name }
  }

  mutating func put(_ target: Target) { byID[target.id] = target }

  mutating func remove(_ id: String) { byID[id] = nil }
}
