import JSON
import Primitives
import SDKCore

/// Where a server sends the tokens of out-of-band operations: this installation, as it knows it.
public struct DispatchTarget: Sendable, Hashable {
  /// The identifier at the server.
  public let id: String
  /// The identifier that other parties see; `nil` if the server does not say it.
  public let externalID: String?
  /// The name, which is unique among the targets of a user.
  public let name: String
  /// The address at the dispatcher, such as the registration token of a push service.
  public let target: String?
  /// How tokens are sent, such as `firebase-cloud-messaging`.
  public let dispatcher: String?
  /// The device; `nil` if the server does not say it.
  public let deviceID: String?
  /// Whether its keys are here.
  public let hasKeys: Bool
}

extension DispatchTarget {
  /// Reads a target of a server; `nil` for anything else.
  init?(_ value: JSON, hasKeys: Bool) {
    guard let id = value["id"]?.string, Self.isPathSegment(id) else { return nil }
    self.init(
      id: id, externalID: value["extId"]?.string, name: value["name"]?.string ?? "",
      target: value["target"]?.string, dispatcher: value["dispatcher"]?.string,
      deviceID: value["deviceId"]?.string, hasKeys: hasKeys)
  }

  /// Whether an identifier can be the last part of a path.
  static func isPathSegment(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 256
      && id.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~".utf8.contains($0) }
      && !id.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}

/// What a user chooses of a new target.
public struct DispatchTargetSettings: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The address at the dispatcher.
  public var target: String?
  /// How tokens are sent.
  public var dispatcher: String?

  /// Makes settings; what is `nil` has a default.
  public init(name: String, target: String? = nil, dispatcher: String? = nil) {
    self.name = name
    self.target = target
    self.dispatcher = dispatcher
  }

  /// The members of a message, without those that are `nil`.
  var members: JSONObject {
    JSON.members([
      "name": .string(name), "target": target.map { .string($0) },
      "dispatcher": dispatcher.map { .string($0) },
    ]).object ?? [:]
  }
}
