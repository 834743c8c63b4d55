import HTTP
import JOSE
import JSON
import OpenSSL
import Primitives

/// The content of an encrypted request and of the encrypted response to it.
///
/// The vendor's format is not public. This one is a JSON object: `id`, `iat`, `host`, `method`,
/// `path` with the query, `headers` (an array of pairs) and `body` (base64url) of a request; `id`,
/// `status`, `headers` and `body` of a response. The ID is in the ciphertext only: nobody can know
/// it who cannot decrypt the request, so it authenticates the response.
struct PayloadEnvelope {
  /// 128 random bits.
  let id: String
  private let request: HTTPRequest
  private let body: [UInt8]
  private let time: Int64

  init(_ request: HTTPRequest, body: [UInt8], at time: Int64) throws(CryptoError) {
    id = Base64URL.encode(try Random.bytes(16))
    self.request = request
    self.body = body
    self.time = time
  }

  var content: [UInt8] {
    let fields = request.fields.map { JSON.strings([$0.name, $0.value]) }
    let members: JSON = .members([
      "id": .string(id), "iat": .int(time), "host": .string(request.url.authority),
      "method": .string(request.method.name), "path": .string(request.url.target),
      "headers": .array(fields),
      "body": body.isEmpty ? nil : .string(Base64URL.encode(body)),
    ])
    return Array(members.serialized().utf8)
  }

  func response(_ content: [UInt8]) -> HTTPResponse? {
    guard let message = try? JSON(parsing: content),
      let id = message["id"]?.string, ConstantTime.equal(Array(id.utf8), Array(self.id.utf8)),
      let status = message["status"]?.int, (200..<600).contains(status),
      let body = Self.body(message["body"]), let fields = Self.fields(message["headers"])
    else { return nil }
    return HTTPResponse(
      status: Int(status), fields: fields, body: body, url: request.url)
  }

  private static func body(_ value: JSON?) -> [UInt8]? {
    guard let value else { return [] }
    return value.string.flatMap { try? Base64URL.decode($0) }
  }

  private static func fields(_ value: JSON?) -> HTTPFields? {
    guard let value else { return [] }
    guard let pairs = value.array else { return nil }
    var fields = HTTPFields()
    for pair in pairs {
      guard let words = pair.strings, words.count == 2,
        let field = try? HTTPField(words[0], words[1])
      else { return nil }
      fields.append(field)
    }
    return fields
  }
}
