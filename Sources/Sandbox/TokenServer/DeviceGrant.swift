import JSON

extension TokenRequest {
  /// One poll of the device grant (RFC 8628 section 3.4).
  func pollDevice() throws -> Response {
    let deviceCode = try required("device_code")
    let id = try sandbox.change { world in
      let grant = try world.devices.poll(
        deviceCode: deviceCode, clientID: client.id, now: exchange.now)
      let id = world.grants.open(grant)
      try bind((id, grant), in: &world)
      return id
    }
    return try Issue(request: self, grantID: id, withRefreshToken: true).answer()
  }
}

/// The device authorization endpoint (RFC 8628 section 3.1).
extension Routes {
  mutating func addDeviceAuthorization() {
    post("/device_authorization", .device) { exchange in
      let form = try await exchange.form()
      let client = try await ClientAuthentication(exchange: exchange, form: form).client()
      guard client.allows(.deviceCode) else {
        throw OAuthError("unauthorized_client", "the client did not register this grant")
      }
      let scopes = try Scope.asked(
        form["scope"], by: client, grantsDefault: { exchange.takeFault(.missingScope) != nil })
      let settings = exchange.sandbox.settings
      let codes = exchange.sandbox.change { world in
        world.devices.start(
          clientID: client.id, scopes: scopes, lifetime: settings.deviceLifetime,
          interval: settings.deviceInterval, now: exchange.now)
      }
      let page = exchange.sandbox.issuer + "/device"
      return .json([
        "device_code": .string(codes.deviceCode), "user_code": .string(codes.userCode),
        "verification_uri": .string(page),
        "verification_uri_complete": .string("\(page)?user_code=\(codes.userCode)"),
        "expires_in": .int(settings.deviceLifetime), "interval": .int(settings.deviceInterval),
      ])
    }
  }
}
