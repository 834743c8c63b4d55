import JSON

/// Checks responses to UAF requests as the protocol tells a server to (FIDO UAF Protocol 1.1,
/// sections 3.4.6.5 and 3.5.7.5).
struct UAFResponseCheck: Sendable {
  let exchange: Exchange

  func registration(_ sent: JSON) throws -> Response {
    let response = try UAFResponse(sent, .registration, exchange)
    let assertion = try RegistrationAssertion(try response.assertion())
    let authenticator = try known(assertion.aaid, response.request)
    try check(assertion.info, authenticator)
    guard authenticator.keyEncodings.contains(assertion.keyEncoding) else {
      throw UAFRefusal(1495, "authenticators of this model have other encodings of keys")
    }
    guard assertion.info.mode == 1 else {
      throw UAFRefusal.content("the user was not verified")
    }
    try response.check(assertion.challengeHash)
    let key = try UAFKey(assertion.publicKey, encoding: assertion.keyEncoding)
    let options = exchange.sandbox.change { $0.fido.options }
    let origin = try AttestationCheck(
      authenticator: authenticator, needsRoot: options.needsRoot, now: exchange.now
    ).check(assertion, key: key)
    let registered = FIDOState.Key(
      aaid: assertion.aaid, keyID: Base64URL.encode(assertion.keyID),
      extID: Secret.name("key-"), subject: response.request.subject ?? "", key: key,
      signatureAlgorithm: assertion.info.signatureAlgorithm,
      authenticatorVersion: assertion.info.authenticatorVersion,
      signCounter: assertion.signCounter, late: options.late)
    try exchange.sandbox.change { world throws(UAFRefusal) in
      try world.fido.add(
        registered, registrationCounter: assertion.registrationCounter, origin: origin)
    }
    return .uaf(["statusCode": 1200])
  }

  func authentication(_ sent: JSON) throws -> Response {
    let response = try UAFResponse(sent, .authentication, exchange)
    let assertion = try AuthenticationAssertion(try response.assertion())
    let authenticator = try known(assertion.aaid, response.request)
    let keyID = Base64URL.encode(assertion.keyID)
    let key = try exchange.sandbox.change { world throws(UAFRefusal) in
      try world.fido.key(assertion.aaid, keyID, of: response.request.subject)
    }
    try check(assertion.info, authenticator)
    guard assertion.info.signatureAlgorithm == key.signatureAlgorithm else {
      throw UAFRefusal(1495, "the key was registered with another algorithm")
    }
    try response.check(assertion.challengeHash)
    try Self.check(assertion, response.request.transaction)
    guard
      key.key.verifies(
        assertion.signature, of: assertion.signed, algorithm: assertion.info.signatureAlgorithm)
    else { throw UAFRefusal.content("the signature is not that of the key") }
    let user = try exchange.sandbox.change { world throws(UAFRefusal) in
      try world.fido.noteUse(key, assertion)
      return world.users.subject(key.subject)
    }
    guard let user else { throw UAFRefusal(1404, "the user is gone") }
    return try result(for: user)
  }

  // MARK: Steps

  private func known(
    _ aaid: String, _ request: UAFRequest
  ) throws(UAFRefusal) -> FIDOAuthenticator {
    guard let authenticator = exchange.sandbox.change({ $0.fido.authenticators[aaid] }) else {
      throw UAFRefusal(1480, "the AAID \(aaid) is not known")
    }
    guard request.models.contains(aaid) else {
      throw UAFRefusal(1492, "the policy does not accept the AAID \(aaid)")
    }
    return authenticator
  }

  private func check(
    _ info: AssertionInfo, _ authenticator: FIDOAuthenticator
  ) throws(UAFRefusal) {
    guard authenticator.signatureAlgorithms.contains(info.signatureAlgorithm) else {
      throw UAFRefusal(1495, "authenticators of this model have other algorithms")
    }
    guard info.authenticatorVersion >= authenticator.minimumVersion else {
      throw UAFRefusal(1492, "authenticators of this version are not accepted")
    }
  }

  /// Whether the person confirmed what the request asked for.
  private static func check(
    _ assertion: AuthenticationAssertion, _ transaction: UAFRequest.Transaction?
  ) throws(UAFRefusal) {
    let hash = transaction.map { SHA256.hash(Array($0.content)) } ?? []
    guard assertion.info.mode == (transaction == nil ? 1 : 2), assertion.transactionHash == hash
    else { throw .content("the confirmed transaction is not that of the request") }
  }

  /// What proves the authentication to other services.
  private func result(for user: Users.User) throws -> Response {
    let verdict: JSONObject = ["statusCode": 1200]
    let result = exchange.sandbox.change { $0.fido.options.result }
    guard result != .cookie else {
      return Response.uaf(.object(verdict))
        .with(.setCookie, sessionCookie(for: user, exchange, path: "/", usedFIDO: true))
        .with(.setCookie, routeCookie)
    }
    let token = try gatewayJWT(for: user, exchange, usedFIDO: true)
    switch result {
    case .jwtMember: return .uaf(.object(verdict.merging(["jwt": .string(token)]) { $1 }))
    case .jwtToken:
      let tokens: JSON = [["type": "JWT", "value": .string(token)]]
      return .uaf(.object(verdict.merging(["additionalTokens": tokens]) { $1 }))
    case .jwtField, .cookie:
      return Response.uaf(.object(verdict)).with(.authorization, "Bearer \(token)")
    }
  }
}

/// A response to a UAF request, of which everything but the assertion was checked.
struct UAFResponse: Sendable {
  let request: UAFRequest
  private let challengeParameters: String
  private let assertions: [JSON]

  /// Reads a response, finds its request and compares them.
  init(
    _ sent: JSON, _ operation: UAFRequest.Operation, _ exchange: Exchange
  ) throws(UAFRefusal) {
    guard let text = sent["uafResponse"]?.string,
      let messages = (try? JSON(parsing: text))?.array, messages.count == 1,
      let header = messages[0]["header"],
      let parameters = messages[0]["fcParams"]?.string,
      let assertions = messages[0]["assertions"]?.array
    else { throw .content("the response is not a list of one message") }
    guard let serverData = header["serverData"]?.string else {
      throw .content("the header has no server data")
    }
    request = try exchange.sandbox.change { world throws(UAFRefusal) in
      if let status = world.fido.options.status {
        world.fido.options.status = nil
        throw UAFRefusal(status, "a status was asked for")
      }
      return try world.fido.takeRequest(serverData, operation, now: exchange.now)
    }
    challengeParameters = parameters
    self.assertions = assertions
    try checkHeader(header)
    try Self.checkExtensions(header["exts"])
    try checkParameters(exchange)
  }

  /// The bytes of the only assertion.
  func assertion() throws(UAFRefusal) -> [UInt8] {
    guard let first = assertions.first else { throw .content("there is no assertion") }
    guard assertions.count == 1 else {
      throw UAFRefusal(1492, "the policy accepts one authenticator, not \(assertions.count)")
    }
    try Self.checkExtensions(first["exts"])
    guard first["assertionScheme"] == "UAFV1TLV",
      let bytes = first["assertion"]?.string.flatMap(Base64URL.decode)
    else { throw .content("the assertion is not UAFV1TLV in base64url") }
    return bytes
  }

  /// Compares the hash in an assertion with that of the challenge parameters, as they were sent.
  func check(_ hash: [UInt8]) throws(UAFRefusal) {
    guard Secret.sha256(challengeParameters) == hash else {
      throw .content("the final challenge is not that of the assertion")
    }
  }

  private func checkHeader(_ header: JSON) throws(UAFRefusal) {
    let version: JSON? = header["upv"]
    guard version == ["major": 1, "minor": 1] || version == ["major": 1, "minor": 0] else {
      throw .content("the version was not offered")
    }
    guard header["op"]?.string == request.operation.rawValue else {
      throw .content("the operation is not that of the request")
    }
    guard (header["appID"]?.string ?? "") == request.applicationID else {
      throw .content("the application is not that of the request")
    }
  }

  private static func checkExtensions(_ extensions: JSON?) throws(UAFRefusal) {
    guard let extensions, extensions != .null else { return }
    guard let list = extensions.array,
      list.allSatisfy({ $0["id"]?.string != nil && $0["fail_if_unknown"] == false })
    else { throw .content("an extension is malformed, or must be known and is not") }
  }

  private func checkParameters(_ exchange: Exchange) throws(UAFRefusal) {
    guard let bytes = Base64URL.decode(challengeParameters),
      let parameters = try? JSON(parsing: bytes),
      let facet = parameters["facetID"]?.string,
      let binding = parameters["channelBinding"]?.object
    else { throw .content("the challenge parameters are malformed") }
    guard parameters["challenge"]?.string == request.challenge else {
      throw .content("the challenge is not that of the request")
    }
    let application = request.applicationID.isEmpty ? facet : request.applicationID
    guard parameters["appID"]?.string == application else {
      throw .content("the challenge parameters have another application")
    }
    let trusted = [exchange.sandbox.issuer] + exchange.sandbox.change { $0.fido.options.facets }
    guard trusted.contains(facet) else { throw .content("the facet is not trusted") }
    try checkBinding(binding, exchange.sandbox.serverCertificate)
  }

  /// Compares what the client saw of the connection with what this server showed.
  private func checkBinding(
    _ binding: JSONObject, _ certificate: [UInt8]
  ) throws(UAFRefusal) {
    for (name, value) in binding where value != .null {
      let seen = value.string.flatMap(Base64URL.decode)
      let isSame =
        switch name {
        case "serverEndPoint": seen == SHA256.hash(certificate)
        case "tlsServerCertificate": seen == certificate
        case "cid_pubkey": value == "unused"
        // TLS 1.3 has no tls-unique (RFC 9266).
        default: false
        }
      guard isSame else { throw UAFRefusal(1490, "the channel binding \(name) is not good") }
    }
  }
}
