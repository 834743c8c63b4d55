import HTTP
import JSON

/// The service that manages where tokens can be sent to.
extension Routes {
  mutating func addDispatchTargets() {
    addFIDO(
      ["/nevisfido/token/dispatch/targets", "/token/dispatch/targets"], .dispatchTargets,
      [
        .get: { exchange in
          let caller = try FIDOCaller.require(exchange)
          if let name = exchange.query["username"],
            exchange.sandbox.change({ $0.person(name) })?.subject != caller.user.subject
          {
            throw OAuthError("forbidden", "the login is that of another user", status: 403)
          }
          let targets = exchange.sandbox.change { $0.fido.targets.targets(of: caller.user.subject) }
          return .json(["dispatchTargets": .array(targets.map(\.json))])
        },
        .post: { exchange in
          try exchange.requireMedia(accept: FIDOMedia.json, content: FIDOMedia.json)
          let caller = try FIDOCaller.require(exchange, usedFIDO: true)
          return try create(.object(try await exchange.fidoObject()), caller, exchange)
        },
      ])
    addFIDO(
      ["/nevisfido/token/dispatch/targets/:id", "/token/dispatch/targets/:id"], .dispatchTargets,
      [
        .patch: { exchange in
          try exchange.requireMedia(accept: nil, content: FIDOMedia.jose)
          let target = try target(exchange)
          let body = String(
            decoding: try exchange.body(Exchange.mostJSONBytes), as: UTF8.self)
          try modify(target, body, exchange)
          return Response(status: .noContent)
        },
        .delete: { exchange in
          let caller = try FIDOCaller.require(exchange, usedFIDO: true)
          let target = try target(exchange)
          guard target.subject == caller.user.subject else { throw unknownTarget }
          exchange.sandbox.change { $0.fido.targets.remove(target.id) }
          return Response(status: .noContent)
        },
      ])
  }
}

private var unknownTarget: OAuthError {
  OAuthError("not_found", "there is no such dispatch target", status: 404)
}

private func target(_ exchange: Exchange) throws(OAuthError) -> DispatchTargets.Target {
  let id = exchange.parameters.get("id") ?? ""
  guard let target = exchange.sandbox.change({ $0.fido.targets[id] }) else { throw unknownTarget }
  return target
}

private func create(_ body: JSON, _ caller: FIDOCaller, _ exchange: Exchange) throws -> Response {
  guard let name = body["name"]?.string, !name.isEmpty, let place = body["target"]?.string,
    let dispatcher = body["dispatcher"]?.string,
    let key = document(body["signatureKey"]).flatMap(VerificationKey.init(jwk:))
  else {
    throw OAuthError.invalidRequest("name, target, dispatcher and signatureKey are required")
  }
  let encryptionKey = document(body["encryptionKey"])
  guard (body["encryptionKey"] ?? .null) == .null || encryptionKey.flatMap(PayloadPeer.init) != nil
  else { throw OAuthError.invalidRequest("the encryptionKey is not a key on P-256 or X25519") }
  if let named = body["username"]?.string {
    guard exchange.sandbox.change({ $0.person(named) })?.subject == caller.user.subject else {
      throw OAuthError("forbidden", "the user is not known, or is not the caller", status: 403)
    }
  }
  let target = DispatchTargets.Target(
    id: Secret.name("target-"), extID: Secret.name("ext-"), subject: caller.user.subject,
    deviceID: body["deviceId"]?.string, name: name, target: place, dispatcher: dispatcher,
    signatureKey: key, encryptionKey: encryptionKey.flatMap(PayloadPeer.init))
  try put(target, exchange)
  return .json(["id": .string(target.id), "extId": .string(target.extID)], status: .created)
}

/// A JWK, as an object or as the text of one.
private func document(_ json: JSON?) -> JSON? {
  json?.string.flatMap { try? JSON(parsing: $0) } ?? json
}

/// Applies a change that the device signed.
private func modify(
  _ target: DispatchTargets.Target, _ body: String, _ exchange: Exchange
) throws(OAuthError) {
  guard let message = JWT(body) else { throw .invalidRequest("the body is not a compact JWS") }
  let now = exchange.now
  guard message.isSigned(by: target.signatureKey),
    let identifier = (message.claims["jti"] ?? message.claims["requestId"])?.string,
    let moment = (message.claims["iat"] ?? message.claims["timestamp"])?.integer,
    exchange.sandbox.change({
      $0.fido.targets.isFirst(identifier, issuedAt: moment, now: now)
    })
  else {
    throw OAuthError(
      "unauthorized", "the signature is not that of the target, or the request was seen",
      status: 401)
  }
  var changed = target
  changed.name = message.claims["name"]?.string ?? target.name
  changed.target = message.claims["target"]?.string ?? target.target
  changed.dispatcher = message.claims["dispatcher"]?.string ?? target.dispatcher
  try put(changed, exchange)
}

private func put(_ target: DispatchTargets.Target, _ exchange: Exchange) throws(OAuthError) {
  guard DispatchTargets.dispatchers.contains(target.dispatcher) else {
    throw OAuthError("unknown_dispatcher", "there is no such dispatcher", status: 422)
  }
  try exchange.sandbox.change { world throws(OAuthError) in
    guard world.fido.targets.isFree(target.name, for: target.subject, except: target.id) else {
      throw OAuthError("name_in_use", "another dispatch target has this name", status: 422)
    }
    world.fido.targets.put(target)
  }
}
