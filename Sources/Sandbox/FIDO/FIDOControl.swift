import JSON

/// What `sdkctl-sandbox fido` asks of a running sandbox.
struct FIDOControl: Sendable {
  let sandbox: Sandbox

  /// Sets options, loads what is known of authenticators, ends sessions; returns the state.
  func answer(_ orders: Form) -> Response {
    for field in orders.fields {
      switch field.name {
      case "load":
        guard load(field.value) else {
          return .json(
            ["error": "the file has no metadata statement and no certificate"],
            status: .badRequest)
        }
      case "end-sessions": sandbox.change { $0.gatewaySessions.end() }
      default:
        guard sandbox.change({ $0.fido.options.set(field.name, field.value) }) else {
          return .json(
            ["error": .string("there is no option '\(field.name)' with this value")],
            status: .badRequest)
        }
      }
    }
    return .json(sandbox.change { $0.fido.json })
  }

  /// Loads a metadata statement, or certificates for the development model.
  private func load(_ encoded: String) -> Bool {
    guard let bytes = Base64URL.decode(encoded) else { return false }
    if let statement = try? JSON(parsing: bytes) {
      guard let authenticator = FIDOAuthenticator(statement: statement) else { return false }
      sandbox.change { $0.fido.know(authenticator) }
      return true
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let certificates = try? Certificate.all(inPEM: text), !certificates.isEmpty else {
      return false
    }
    sandbox.change { world in
      var model = FIDOAuthenticator(aaid: FIDOState.models[0])
      model.roots = certificates
      world.fido.know(model)
    }
    return true
  }
}
