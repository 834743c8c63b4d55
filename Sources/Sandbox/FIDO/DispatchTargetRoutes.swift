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
        .delete: { exchange in
          let caller = try FIDOCaller.require(exchange, usedFIDO: true)
          let target = try target(exchange)
          guard target.subject == caller.user.subject else { throw unknownTarget }
          exchange.sandbox.change { $0.fido.targets.remove(target.id) }
          return Response(status: .noContent)
        }
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
    document(body["signatureKey"]).flatMap(VerificationKey.init(jwk:)) != nil
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
    deviceID: body["deviceId"]?.string, name: name, target: place, dispatcher: dispatcher)
  try put(target, exchange)
  return .json(["id": .string(target.id), "extId": .string(target.extID)], status: .created)
}

/// A JWK, as an object or as the text of one.
private func document(_ json: JSON?) -> JSON? {
  json?.string.flatMap { try? JSON(parsing: $0) } ?? json
}

private func put(_ target: DispatchTargets.Target, _ exchange: Exchange) throws(OAuthError) {
  guard DispatchTargets.dispatchers.contains(target.dispatcher) else {
    throw OAuthError("unknown_dispatcher", "there is no such dispatcher", status: 422)
  }
  try exchange.sandbox.change { world throws(OAuthError) in
    guard world.fido.targets.isFree(target.name, for: target.subject) else {
      throw OAuthError("name_in_use", "another dispatch target has this name", status: 422)
    }
    world.fido.targets.put(target)
  }
}
