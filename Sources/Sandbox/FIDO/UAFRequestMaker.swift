import JSON
import Primitives

/// Makes the requests of the UAF server, or the bad ones that a fault stands for.
struct UAFRequestMaker: Sendable {
  let exchange: Exchange

  /// The models that a policy accepts if it names no key.
  private var models: [String] {
    exchange.sandbox.change { world in
      let accepted = world.fido.options.accepted
      return accepted.isEmpty ? world.fido.authenticators.keys.sorted() : accepted
    }
  }

  private var options: FIDOOptions { exchange.sandbox.change { $0.fido.options } }

  /// A request for a person, under the name by which the caller called them.
  func registration(for user: Users.User, named context: JSON) throws(UAFRefusal) -> Response {
    let models = models
    return try answer(
      .registration, subject: user.subject, models: models,
      policy: models.map { [["aaid": [.string($0)]]] },
      members: ["username": context["username"] ?? .string(user.subject)]
    )
  }

  /// A request for the person of a context; without one, anybody may authenticate.
  func authentication(_ context: JSON) throws(UAFRefusal) -> Response {
    var user: Users.User?
    if let name = context["username"] {
      user = name.string.flatMap { name in exchange.sandbox.change { $0.person(name) } }
      guard user != nil else { throw UAFRefusal(1404, "the user is not known") }
    }
    let subject = user?.subject
    let asked = try Self.transaction(of: context)
    let models = models
    let keys = exchange.sandbox.change { world in subject.map(world.fido.keys(of:)) }
    guard keys?.isEmpty != true else { throw UAFRefusal(1404, "the user has no key") }
    let policy =
      keys?.map { key -> [JSON] in
        [["aaid": [.string(key.aaid)], "keyIDs": [.string(key.keyID)]]]
      } ?? models.map { [["aaid": [.string($0)]]] }
    let transaction = asked ?? options.transaction.map(UAFRequest.Transaction.init)
    return try answer(
      .authentication, subject: subject, transaction: transaction,
      models: keys?.map(\.aaid) ?? models, policy: policy,
      members: transaction.map { ["transaction": [$0.json]] } ?? [:])
  }

  /// Removes the keys that a context names, and tells the client which.
  func deregistration(_ context: JSON, of user: Users.User) throws -> Response {
    let keys = exchange.sandbox.change { $0.fido.keys(of: user.subject) }
    let chosen: [FIDOState.Key]
    switch context["mode"]?.string ?? "username" {
    case "username": chosen = keys
    case "aaid":
      let models = context["aaids"]?.strings ?? context["aaid"]?.string.map { [$0] } ?? []
      chosen = keys.filter { models.contains($0.aaid) }
    default:
      let named = (context["authenticators"]?.array ?? []).map { [$0["aaid"], $0["keyId"]] }
      chosen = keys.filter { key in named.contains([.string(key.aaid), .string(key.keyID)]) }
    }
    guard !chosen.isEmpty else { throw UAFRefusal(1404, "there is no such key") }
    exchange.sandbox.change { $0.fido.remove(chosen) }
    return try answer(
      .deregistration, subject: user.subject, models: [], policy: nil,
      members: [
        "authenticators": .array(
          chosen.map { ["aaid": .string($0.aaid), "keyID": .string($0.keyID)] })
      ])
  }

  /// What the context of an authentication asks the person to confirm.
  private static func transaction(of context: JSON) throws(UAFRefusal) -> UAFRequest.Transaction? {
    guard let first = context["transaction"]?.array?.first else { return nil }
    guard first["contentType"]?.string == "text/plain",
      let content = first["content"]?.string.flatMap({ Base64URL.decode($0) ?? Base64.decode($0) })
    else { throw UAFRefusal(1400, "the transaction is not a text") }
    return UAFRequest.Transaction(String(decoding: content, as: UTF8.self))
  }

  /// Notes a request and makes its messages, one for each version.
  private func answer(
    _ operation: UAFRequest.Operation, subject: String?,
    transaction: UAFRequest.Transaction? = nil, models: [String],
    policy: [[JSON]]?, members: JSONObject
  ) throws(UAFRefusal) -> Response {
    let fault = exchange.takeFault(.uafRequest)
    let options = options
    let request = UAFRequest(
      operation: operation, challenge: Secret.make(), serverData: Secret.make(),
      applicationID: options.applicationID ?? exchange.sandbox.issuer + "/nevisfido/uaf/1.1/facets",
      subject: subject, transaction: transaction, models: models,
      expiresAt: exchange.now + options.lifetime)
    if operation != .deregistration {
      exchange.sandbox.change { $0.fido.note(request, now: exchange.now) }
    }
    var shared = members
    if let policy {
      shared["challenge"] = .string(request.challenge)
      shared["policy"] = ["accepted": .array(policy.map(JSON.array))]
    }
    let messages = [1, 0].map { minor -> JSON in
      var message = shared
      message["header"] = [
        "upv": ["major": 1, "minor": .int(minor)], "op": .string(operation.rawValue),
        "appID": .string(request.applicationID), "serverData": .string(request.serverData),
      ]
      return fault?.spoil(message) ?? .object(message)
    }
    let text = String(decoding: JSON.array(messages).serializedBytes(), as: UTF8.self)
    return .uaf([
      "statusCode": 1200, "op": .string(operation.rawValue),
      "uafRequest": .string(fault == .uafGarbage ? "[{\"header\":" : text),
      "lifetimeMillis": .int(options.lifetime * 1000),
    ])
  }
}

extension Fault {
  /// Makes of a good UAF request the bad one that this fault stands for.
  fileprivate func spoil(_ message: JSONObject) -> JSON {
    var message = message
    var header = message["header"]?.object ?? [:]
    switch self {
    case .uafWrongOperation: header["op"] = header["op"] == "Auth" ? "Reg" : "Auth"
    case .uafWrongVersion: header["upv"] = ["major": 9, "minor": header["upv"]?["minor"] ?? 0]
    case .uafForeignApplication: header["appID"] = "https://elsewhere.example/facets.json"
    case .uafCriticalExtension:
      header["exts"] = [["id": "org.example.unknown", "data": "", "fail_if_unknown": true]]
    case .uafChallengeNumber: message["challenge"] = 1_234_567_890
    case .uafShortChallenge: message["challenge"] = "AAAA"
    case .uafNoMatch: message["policy"] = ["accepted": [[["aaid": ["0000#0000"]]]]]
    case .uafOversize: header["serverData"] = .string(String(repeating: "x", count: 2 << 20))
    default: break
    }
    message["header"] = .object(header)
    return .object(message)
  }
}
