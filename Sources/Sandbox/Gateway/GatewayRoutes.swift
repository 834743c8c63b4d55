import JSON
import Primitives

/// The resources of the vendor's example gateway.
extension Routes {
  mutating func addGateway() {
    get("/resources/devices", .resources) { exchange in
      try admitted(exchange, scope: "read") { .json(devices(of: $0, exchange)) }
    }
    get("/resources/application-details", .resources) { exchange in
      try admitted(exchange, scope: "application-details") { caller in
        .json([
          "application_identifier": caller.description["app_identifier"] ?? .null,
          "application_platform": caller.description["app_platform"] ?? .null,
          "application_version": caller.description["app_version"] ?? .null,
        ])
      }
    }
    get("/resources/user-id-decorated", .resources) { exchange in
      try admitted(exchange, scope: nil, kind: .implicit) { caller in
        .json(["decorated_user_id": .string("✨ \(caller.subject) ✨")])
      }
    }
    post("/resources/file-upload", .resources) { exchange in
      let body = try exchange.body(Exchange.mostUploadBytes)
      return try admitted(exchange, scope: "write") { _ in
        try upload(exchange.request.headers[.contentType] ?? "", body)
      }
    }
    post("/resources", .resources) { exchange in
      let body = try exchange.body(Exchange.mostUploadBytes)
      let type = exchange.request.headers[.contentType] ?? "application/octet-stream"
      return try admitted(exchange, scope: "write") { _ in
        .bytes(body, type: type, status: .created)
      }
    }
    get("/payload-key", .resources) { exchange in
      let key = exchange.sandbox.payloadKey
      return .json(["jwk": key.jwk, "hex": .string(key.hex)])
    }
    get("/resources/unauthenticated", .resources) { _ in .text("OK") }
    post("/resources/unauthenticated", .resources) { _ in .text("OK") }
  }
}

/// Answers an admitted caller, or sends the refusal.
private func admitted(
  _ exchange: Exchange, scope: String?, kind: GatewayCaller.Kind = .regular,
  _ answer: (GatewayCaller) throws -> Response
) throws -> Response {
  do { return try answer(try GatewayCaller(exchange, scope: scope, kind: kind)) } catch let refused
    as GatewayCaller.Refused
  { return refused.answer }
}

/// The installations that hold something of this person.
private func devices(of caller: GatewayCaller, _ exchange: Exchange) -> JSON {
  let clients = exchange.sandbox.change { world in
    world.grants.clients(ofSubject: caller.subject).compactMap { world.clients[$0] }
  }
  return [
    "devices": .array(
      clients.map { client in
        [
          "id": .string(client.id), "name": .string(client.name),
          "application": client.metadata["software_id"] ?? .string(client.name),
          "platform": client.metadata["app_platform"] ?? "linux",
          "current": .bool(client.id == caller.clientID),
        ]
      })
  ]
}

private func upload(_ type: String, _ body: [UInt8]) throws -> Response {
  guard let form = Multipart(contentType: type, body: body) else {
    throw OAuthError.invalidRequest("the body must be multipart/form-data")
  }
  func text(_ name: String) -> JSON {
    form.parts.first { $0.name == name }
      .map { .string(String(decoding: $0.body, as: UTF8.self)) } ?? .null
  }
  let attachments = form.parts.filter { $0.name == "attachments" }
  return .json([
    "name": text("name"), "email": text("email"),
    "attachments": .array(
      attachments.map { part in
        [
          "file_name": part.fileName.map(JSON.string) ?? .null,
          "file_size": .int(part.body.count),
          "content_type": part.contentType.map(JSON.string) ?? .null,
          "body": .string(Base64.encode(part.body)),
        ]
      }),
  ])
}
