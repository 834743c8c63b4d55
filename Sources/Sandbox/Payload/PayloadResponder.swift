import HTTP
import JSON

/// Stands before the routes: decrypts requests to the resources, and encrypts the answers.
struct PayloadResponder: Sendable {
  let base: Router
  let sandbox: Sandbox

  func respond(to request: Request, _ certificate: ShownCertificate?) async -> Response {
    guard request.path.hasPrefix("/resources") else {
      return await base.respond(to: request, certificate)
    }
    guard request.method == .post, request.headers[.contentType] == PayloadRequest.mediaType else {
      guard sandbox.settings.payloadEncryption else {
        return await base.respond(to: request, certificate)
      }
      return .json(
        ["error": "encryption_required", "error_description": "the request is not encrypted"],
        status: .badRequest)
    }
    let text = String(decoding: request.body ?? [], as: UTF8.self)
    guard let (content, peer) = try? PayloadMessage.open(text, with: sandbox.payloadKey),
      let inner = PayloadRequest(content, outer: request, sandbox)
    else {
      return .json(
        ["error": "invalid_payload", "error_description": "the request could not be decrypted"],
        status: .badRequest)
    }
    let answer = await base.respond(to: inner.request, certificate)
    let sealed = try? PayloadMessage.seal(
      [
        "id": .string(inner.id), "status": .int(answer.status.code),
        "headers": .array(answer.headers.map { .strings([$0.name.text, $0.value]) }),
        "body": .string(Base64URL.encode(answer.wholeBody)),
      ], to: peer)
    var outer = Response.bytes(Array((sealed ?? "").utf8), type: PayloadRequest.mediaType)
    outer.delivery = answer.delivery
    return outer
  }
}

/// A request that was inside an encrypted one.
struct PayloadRequest {
  static let mediaType = "application/jose"

  let id: String
  let request: Request

  /// Reads the content of a message; nothing if it is old, was used before, or is for another place.
  init?(_ content: JSON, outer: Request, _ sandbox: Sandbox) {
    guard let id = content["id"]?.string, (Base64URL.decode(id)?.count ?? 0) >= 16,
      let time = content["iat"]?.integer,
      (sandbox.clock() - 300...sandbox.clock() + 300).contains(time),
      content["host"]?.string == outer.authority,
      let path = content["path"]?.string,
      path.split(separator: "?").first.map(String.init)
        == outer.path,
      let method = content["method"]?.string.flatMap({ HTTPMethod($0) }),
      sandbox.change({ $0.payloadIDs.insert(id).inserted })
    else { return nil }
    var fields: Fields = [:]
    for pair in content["headers"]?.array ?? [] {
      guard let words = pair.strings, words.count == 2, let name = FieldName(words[0]) else {
        return nil
      }
      fields.append(name, words[1])
    }
    let body = content["body"]?.string.map { Base64URL.decode($0) } ?? []
    guard let body else { return nil }
    self.id = id
    var request = outer
    (request.method, request.target, request.headers, request.body) = (method, path, fields, body)
    self.request = request
  }
}
