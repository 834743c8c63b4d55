import HTTP
import JSON

/// The UAF server: facets, requests and responses (FIDO UAF HTTP transport, paths of nevisFIDO).
extension Routes {
  mutating func addUAFServer() {
    addFIDO(
      ["/nevisfido/uaf/1.1/facets", "/uaf/1.1/facets"], .facets,
      [.get: { exchange in facets(exchange) }])
    addUAF("/uaf/1.1/request/registration", .uafRequest) { exchange in
      let context = try await getRequest(exchange, .registration)
      let caller = try FIDOCaller.require(exchange)
      return try UAFRequestMaker(exchange: exchange).registration(
        for: try namedPerson(context, caller, exchange), named: context)
    }
    addUAF("/uaf/1.1/request/authentication", .uafRequest) { exchange in
      let context = try await getRequest(exchange, .authentication)
      return try UAFRequestMaker(exchange: exchange).authentication(context)
    }
    addUAF("/uaf/1.1/request/deregistration", .uafRequest) { exchange in
      let context = try await getRequest(exchange, .deregistration)
      let caller = try FIDOCaller.require(exchange, usedFIDO: true)
      return try UAFRequestMaker(exchange: exchange).deregistration(
        context, of: try namedPerson(context, caller, exchange))
    }
    addUAF("/uaf/1.1/registration", .uafResponse) { exchange in
      try UAFResponseCheck(exchange: exchange).registration(try await sentResponse(exchange))
    }
    addUAF("/uaf/1.1/authentication", .uafResponse) { exchange in
      try UAFResponseCheck(exchange: exchange).authentication(try await sentResponse(exchange))
    }
    addIdentitySuite()
  }

  /// The same authentication behind the proxy of an Identity Suite.
  private mutating func addIdentitySuite() {
    addFIDO(
      ["/auth/fidouaf"], .uafRequest,
      [
        .post: { exchange in
          try exchange.requireMedia(accept: nil, content: FIDOMedia.json)
          let body = try await exchange.fidoObject()
          return try UAFRequestMaker(exchange: exchange).authentication(.object(body))
        }
      ])
    addFIDO(
      ["/auth/fidouaf/authenticationresponse", "/auth/authenticationresponse"], .uafResponse,
      [
        .post: { exchange in
          try UAFResponseCheck(exchange: exchange)
            .authentication(try await sentResponse(exchange))
        }
      ])
  }
}

/// The context of a GetUAFRequest.
private func getRequest(
  _ exchange: Exchange, _ operation: UAFRequest.Operation
) async throws -> JSON {
  try exchange.requireMedia(accept: FIDOMedia.uaf, content: FIDOMedia.uaf)
  return try context(of: .object(try await exchange.fidoObject()), operation)
}

/// The context of a GetUAFRequest: a document in a string.
private func context(of request: JSON, _ operation: UAFRequest.Operation) throws(OAuthError) -> JSON
{
  guard request["op"]?.string == operation.rawValue else {
    throw .invalidRequest("the member op must be \(operation.rawValue)")
  }
  guard let text = request["context"]?.string, let context = try? JSON(parsing: text),
    context.object != nil
  else { throw .invalidRequest("the member context must be an object in a string") }
  return context
}

/// The person that a context names, who must be the caller.
private func namedPerson(
  _ context: JSON, _ caller: FIDOCaller, _ exchange: Exchange
) throws(UAFRefusal) -> Users.User {
  guard let name = context["username"]?.string,
    let user = exchange.sandbox.change({ $0.person(name) })
  else { throw UAFRefusal(1404, "the user is not known") }
  guard user.subject == caller.user.subject else {
    throw UAFRefusal(1403, "the login is that of another user")
  }
  return user
}

/// The members of a SendUAFResponse.
private func sentResponse(_ exchange: Exchange) async throws -> JSON {
  try exchange.requireMedia(accept: FIDOMedia.uaf, content: FIDOMedia.uaf)
  let object = try await exchange.fidoObject()
  guard object["uafResponse"]?.string != nil else {
    throw OAuthError.invalidRequest("the member uafResponse must be a string")
  }
  return .object(object)
}

private func facets(_ exchange: Exchange) -> Response {
  let fault = exchange.takeFault(.facets)
  if fault == .facetsRedirected {
    return Response(
      status: .found, headers: [.location: exchange.sandbox.issuer + "/nevisfido/uaf/1.1/facets"])
  }
  let trusted = [exchange.sandbox.issuer] + exchange.sandbox.change { $0.fido.options.facets }
  let listed = fault == .facetUnlisted ? ["https://elsewhere.example"] : trusted
  let document: JSON = [
    "trustedFacets": [
      ["version": ["major": 1, "minor": 0], "ids": .strings(listed)],
      ["version": ["major": 1, "minor": 1], "ids": .strings(listed)],
    ]
  ]
  return .bytes(document.serializedBytes(), type: "application/fido.trusted-apps+json")
}
