import HTTP
import JSON

/// Operations that begin elsewhere: tokens are made, sent to a device, redeemed and watched.
extension Routes {
  mutating func addFIDOTokens() {
    addUAF("/token/create/:operation", .uafToken) { exchange in
      try exchange.requireMedia(accept: FIDOMedia.json, content: FIDOMedia.uaf)
      let operation = try operation(exchange)
      let body = JSON.object(try await exchange.fidoObject())
      let caller = try caller(exchange, operation, mayUsePassword: true)
      let made = try UAFTokenMaker(exchange: exchange, operation: operation, caller: caller)
        .make(try context(of: body, operation))
      return .json(["token": .string(made.token), "sessionId": .string(made.sessionID)])
    }
    addUAF("/token/dispatch/:operation", .uafToken) { exchange in
      try exchange.requireMedia(accept: FIDOMedia.json, content: FIDOMedia.json)
      let operation = try operation(exchange)
      let body = JSON.object(try await exchange.fidoObject())
      let caller = try caller(exchange, operation, mayUsePassword: false)
      return try UAFTokenMaker(exchange: exchange, operation: operation, caller: caller)
        .dispatch(body)
    }
    addUAF("/token/redeem/:operation", .uafToken) { exchange in
      try exchange.requireMedia(accept: FIDOMedia.uaf, content: FIDOMedia.json)
      let operation = try operation(exchange)
      let body = JSON.object(try await exchange.fidoObject())
      guard let text = body["token"]?.string else {
        throw OAuthError.invalidRequest("the member token must be a string")
      }
      return try redeem(text, operation, exchange)
    }
    addFIDO(
      ["/nevisfido/status", "/status"], .uafStatus,
      [
        .post: { exchange in
          try exchange.requireMedia(accept: FIDOMedia.json, content: FIDOMedia.json)
          guard let id = try await exchange.fidoObject()["sessionId"]?.string else {
            throw OAuthError.invalidRequest("the member sessionId must be a string")
          }
          return .json(exchange.sandbox.change { $0.fido.operations.status(id, now: exchange.now) })
        }
      ])
  }
}

private func operation(_ exchange: Exchange) throws(OAuthError) -> UAFRequest.Operation {
  guard
    let operation = exchange.parameters.get("operation").flatMap(UAFRequest.Operation.init(path:))
  else { throw OAuthError("not_found", "there is no such operation", status: 404) }
  return operation
}

/// Who makes a token: an authentication needs no login, a deregistration one with FIDO UAF.
private func caller(
  _ exchange: Exchange, _ operation: UAFRequest.Operation, mayUsePassword: Bool
) throws(OAuthError) -> FIDOCaller? {
  switch operation {
  case .authentication: FIDOCaller.find(exchange)
  case .registration: try FIDOCaller.require(exchange)
  case .deregistration: try FIDOCaller.require(exchange, usedFIDO: !mayUsePassword)
  }
}

private func redeem(
  _ text: String, _ operation: UAFRequest.Operation, _ exchange: Exchange
) throws -> Response {
  let isExpired = exchange.takeFault(.uafToken) == .uafExpiredToken
  let (token, user) = try exchange.sandbox.change { world throws(UAFRefusal) in
    let token = try world.fido.operations.redeem(
      text, operation, now: isExpired ? Int.max / 2 : exchange.now)
    return (token, token.subject.flatMap(world.users.subject))
  }
  let maker = UAFRequestMaker(exchange: exchange)
  switch operation {
  case .authentication:
    return try maker.authentication(
      of: token.subject, token.transaction, sessionID: token.sessionID)
  case .registration:
    guard let user else { throw UAFRefusal(1404, "the user is gone") }
    return try maker.registration(
      for: user, named: token.context, sessionID: token.sessionID)
  case .deregistration:
    guard let user else { throw UAFRefusal(1404, "the user is gone") }
    return try maker.deregistration(token.context, of: user)
  }
}
