import JSON

/// Makes tokens, and sends them to the devices of a person.
struct UAFTokenMaker: Sendable {
  let exchange: Exchange
  let operation: UAFRequest.Operation
  let caller: FIDOCaller?

  /// Makes a token for the operation that a context describes.
  func make(
    _ context: JSON, for target: DispatchTargets.Target? = nil, dispatcher: JSON? = nil
  ) throws -> (token: String, sessionID: String) {
    let subject = try subject(context)
    let options = exchange.sandbox.change { $0.fido.options }
    let now = exchange.now
    let token = FIDOOperations.Token(
      operation: operation, subject: subject,
      transaction: try UAFRequestMaker.transaction(of: context), sessionID: Secret.make(),
      expiresAt: now + options.lifetime, context: context)
    let session = FIDOOperations.Session(
      changedAt: now, subject: subject, expiresAt: token.expiresAt, target: target,
      dispatcher: dispatcher)
    let text = Secret.make()
    exchange.sandbox.change { $0.fido.operations.add(text, token, session, now: now) }
    return (text, token.sessionID)
  }

  /// The person of a context, who must be the caller if the operation needs a login.
  private func subject(_ context: JSON) throws -> String? {
    if operation != .authentication, let caller {
      return try namedPerson(context, caller, exchange).subject
    }
    guard let name = context["username"]?.string else { return nil }
    guard let user = exchange.sandbox.change({ $0.person(name) }) else {
      throw UAFRefusal(1404, "the user is not known")
    }
    return user.subject
  }

  /// Makes a token and sends it; the response says what became of it, always with 200.
  func dispatch(_ body: JSON) throws -> Response {
    guard let request = body["getUafRequest"], request.object != nil else {
      throw OAuthError.invalidRequest("the member getUafRequest must be an object")
    }
    let context = try context(of: request, operation)
    let id = body["dispatchTargetId"]?.string
    let target = id.flatMap { id in exchange.sandbox.change { $0.fido.targets[id] } }
    guard id == nil || target != nil else { return Self.failed("dispatchTargetNotFound") }
    let name = body["dispatcher"]?.string ?? target?.dispatcher ?? ""
    guard DispatchTargets.dispatchers.contains(name) else {
      return Self.failed("dispatcherNotFound")
    }
    let isLink = ["link", "png-qr-code"].contains(name)
    guard isLink || target != nil else { return Self.failed("dispatchTargetNotFound") }
    let made: (token: String, sessionID: String)
    do {
      made = try make(context, for: target, dispatcher: ["name": .string(name)])
    } catch let refusal as UAFRefusal where refusal.status == 1404 {
      return Self.failed("userNotFound")
    }
    let payload = try payload(made.token, for: target)
    if let target, !isLink {
      exchange.sandbox.change { $0.fido.targets.send(payload, to: target) }
    }
    let link =
      "sdkctl-sandbox://fido?dispatchTokenResponse=" + Base64URL.encode(payload.serializedBytes())
    return .json([
      "token": .string(made.token), "sessionId": .string(made.sessionID),
      "dispatchResult": "dispatched",
      "dispatcherInformation": ["name": .string(name), "response": .string(isLink ? link : "")],
    ])
  }

  /// What the device gets: plain, or encrypted to the key of the target.
  private func payload(_ token: String, for target: DispatchTargets.Target?) throws -> JSON {
    let path = operation.path
    let data: JSON = [
      "token": .string(token),
      "redeemUrl": .string(exchange.sandbox.issuer + "/nevisfido/token/redeem/" + path),
    ]
    guard let key = target?.encryptionKey else {
      return ["version": "v1", "contentType": "application/json", "redeemData": data]
    }
    return [
      "version": "v1", "contentType": "application/jose",
      "data": .string(try PayloadMessage.seal(["redeemData": data], to: key)),
    ]
  }

  private static func failed(_ result: String) -> Response {
    .json(["dispatchResult": .string(result)])
  }
}

extension UAFRequest.Operation {
  /// The operation as paths name it.
  var path: String {
    switch self {
    case .registration: "registration"
    case .authentication: "authentication"
    case .deregistration: "deregistration"
    }
  }
}
