import HTTPTypes
import Hummingbird

/// Stands before the routes: decrypts requests to the resources, and encrypts the answers.
struct PayloadResponder<Base: HTTPResponder>: HTTPResponder where Base.Context == SandboxContext {
  let base: Base
  let sandbox: Sandbox

  func respond(to request: Request, context: SandboxContext) async throws -> Response {
    guard request.uri.path.hasPrefix("/resources") else {
      return try await base.respond(to: request, context: context)
    }
    guard request.method == .post, request.headers[.contentType] == PayloadRequest.mediaType else {
      guard sandbox.settings.payloadEncryption else {
        return try await base.respond(to: request, context: context)
      }
      return .json(
        ["error": "encryption_required", "error_description": "the request is not encrypted"],
        status: .badRequest)
    }
    let text = String(buffer: try await request.body.collect(upTo: PayloadRequest.mostBytes))
    guard let (content, peer) = try? PayloadMessage.open(text, with: sandbox.payloadKey),
      let inner = PayloadRequest(content, outer: request, sandbox)
    else {
      return .json(
        ["error": "invalid_payload", "error_description": "the request could not be decrypted"],
        status: .badRequest)
    }
    let answer = try await base.respond(to: inner.request, context: context)
    let body = try await collected(answer.body)
    let sealed = try PayloadMessage.seal(
      [
        "id": .string(inner.id), "status": .int(answer.status.code),
        "headers": .array(
          answer.headers.map { .list([$0.name.canonicalName, $0.value]) }),
        "body": .string(Base64URL.encode(body)),
      ], to: peer)
    return .bytes(Array(sealed.utf8), type: PayloadRequest.mediaType)
  }

  private func collected(_ body: ResponseBody) async throws -> [UInt8] {
    let bytes = Collected()
    try await body.write(CollectingWriter(bytes: bytes))
    return bytes.all
  }
}

/// A request that was inside an encrypted one.
struct PayloadRequest {
  static let mediaType = "application/jose"
  static let mostBytes = 32 << 20

  let id: String
  let request: Request

  /// Reads the content of a message; nothing if it is old, was used before, or is for another place.
  init?(_ content: JSON, outer: Request, _ sandbox: Sandbox) {
    guard let id = content["id"]?.string, (Base64URL.decode(id)?.count ?? 0) >= 16,
      let time = content["iat"]?.int, abs(time - sandbox.clock()) <= 300,
      content["host"]?.string == outer.head.authority,
      let path = content["path"]?.string,
      path.split(separator: "?").first.map(String.init)
        == outer.uri.path,
      let method = content["method"]?.string.flatMap({ HTTPRequest.Method(rawValue: $0) }),
      sandbox.change({ $0.payloadIDs.insert(id).inserted })
    else { return nil }
    var fields = HTTPFields()
    for pair in content["headers"]?.array ?? [] {
      guard let words = pair.strings, words.count == 2, let name = HTTPField.Name(words[0]) else {
        return nil
      }
      fields.append(HTTPField(name: name, value: words[1]))
    }
    let body = content["body"]?.string.map { Base64URL.decode($0) } ?? []
    guard let body else { return nil }
    var head = outer.head
    head.method = method
    head.path = path
    head.headerFields = fields
    self.id = id
    request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
  }
}

/// The bytes of a response.
private final class Collected: @unchecked Sendable {
  var all: [UInt8] = []
}

private struct CollectingWriter: ResponseBodyWriter {
  let bytes: Collected

  mutating func write(_ buffer: ByteBuffer) async throws { bytes.all += Array(buffer: buffer) }
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
