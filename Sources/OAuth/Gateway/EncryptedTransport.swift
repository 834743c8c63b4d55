package import HTTP
package import JOSE
import JSON
import POSIX
package import Primitives

/// Encrypts requests to the key of the gateway, and decrypts its responses.
///
/// A request is sent as a POST to its own path, without its query; method, path, header fields and body are inside. A
/// response that is not encrypted, is encrypted with another key or belongs to another request is refused.
package struct EncryptedTransport: Transport {
  let transport: any Transport
  let key: JWK
  let now: @Sendable () -> Timestamp
  /// When the command must have ended; `nil` for no limit.
  let deadline: ContinuousClock.Instant?

  package init(
    transport: any Transport, key: JWK, now: @escaping @Sendable () -> Timestamp,
    deadline: ContinuousClock.Instant?
  ) {
    (self.transport, self.key, self.now, self.deadline) = (transport, key, now, deadline)
  }

  package func send(
    _ request: HTTPRequest, receiving receiver: HTTPBodyReceiver
  ) async throws(TransportError) -> HTTPResponse {
    let end = request.timeout.map { ContinuousClock.now + $0 }
    let body = try await Self.bytes(
      of: request.body, request.url.host, until: [end, deadline].compactMap { $0 }.min())
    var (outer, envelope, responseKey) = try sealed(request, body)
    outer.timeout = end.map { ContinuousClock.now.duration(to: $0) }
    let sealed = try await transport.send(outer, receiving: .collect(limit: Self.sealedLimit))
    var response = try open(sealed, envelope, responseKey)
    response.version = sealed.version
    response.metrics = sealed.metrics
    response.certificateRequest = sealed.certificateRequest
    return try deliver(response, to: receiver)
  }

  private func sealed(
    _ request: HTTPRequest, _ body: [UInt8]
  ) throws(TransportError) -> (HTTPRequest, PayloadEnvelope, DecryptionKey) {
    do {
      let envelope = try PayloadEnvelope(request, body: body, at: now().seconds)
      let (token, responseKey) = try JWE.encryptRequest(
        envelope.content, to: key, header: ["cty": "json"])
      var outer = request
      outer.method = .post
      outer.url = request.url.withoutQuery
      outer.fields = [
        HTTPField(known: "Content-Type", Self.mediaType),
        HTTPField(known: "Accept", Self.mediaType),
      ]
      outer.body = .bytes(Array(token.utf8))
      return (outer, envelope, responseKey)
    } catch {
      throw TransportError(
        .unavailable, "the request could not be encrypted", host: request.url.host)
    }
  }

  private func open(
    _ sealed: HTTPResponse, _ envelope: PayloadEnvelope, _ key: DecryptionKey
  ) throws(TransportError) -> HTTPResponse {
    guard sealed.mediaType == Self.mediaType,
      let text = String(validating: sealed.body, as: UTF8.self)
    else { throw refused("the response (\(sealed.status)) is not encrypted", sealed) }
    let content: [UInt8]
    do throws(JOSEError) {
      content = try JWE(compact: text, maximumByteCount: Self.sealedLimit)
        .decrypt(with: key, allowed: [.a256GCM])
    } catch {
      throw refused("the encrypted response was refused: \(error.message)", sealed)
    }
    guard let response = envelope.response(content) else {
      throw refused("the encrypted response does not belong to this request", sealed)
    }
    return response
  }

  private func deliver(
    _ response: HTTPResponse, to receiver: HTTPBodyReceiver
  ) throws(TransportError) -> HTTPResponse {
    switch receiver {
    case .collect(let limit):
      guard response.body.count <= limit else {
        throw TransportError(
          .tooLarge, "the response is larger than \(limit) bytes", host: response.url.host)
      }
      return response
    case .sink(let sink):
      var head = response
      head.body = []
      guard sink.begin(head),
        response.body.isEmpty || response.body.withUnsafeBytes({ sink.write($0) })
      else {
        throw TransportError(
          .responseBodyRefused, "the response's body could not be delivered",
          host: response.url.host)
      }
      return head
    }
  }

  private func refused(_ message: String, _ response: HTTPResponse) -> TransportError {
    TransportError(.notEncrypted, message, host: response.url.host)
  }

  /// The whole body: a message is encrypted as one piece.
  private static func bytes(
    of body: HTTPBody, _ host: String, until end: ContinuousClock.Instant?
  ) async throws(TransportError) -> [UInt8] {
    switch body {
    case .none: return []
    case .bytes(let bytes): return bytes
    case .stream(let source, _):
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        try await wait(for: source, host, until: end)
        guard let count = buffer.withUnsafeMutableBytes({ source.read(into: $0) }) else {
          throw TransportError(
            .requestBodyFailed, "the request's body could not be read", host: host)
        }
        if count == 0 { return bytes }
        bytes += buffer[..<count]
        guard bytes.count <= limit else {
          throw TransportError(
            .requestBodyFailed,
            "the request's body is larger than \(limit) bytes, which is the limit of encryption",
            host: host)
        }
      }
    }
  }

  private static func wait(
    for source: any HTTPBodySource, _ host: String, until end: ContinuousClock.Instant?
  ) async throws(TransportError) {
    guard let descriptor = source.awaitedDescriptor else { return }
    let isReady: Bool
    do {
      isReady = try await Readiness.wait(for: descriptor, until: end)
    } catch {
      throw TransportError(.requestBodyFailed, "the request's body could not be read", host: host)
    }
    if isReady { return }
    guard !Task.isCancelled else { throw TransportError(.cancelled, "the transfer was cancelled") }
    throw TransportError(
      .timeout, "the request's body did not come to its end within the time limit", host: host)
  }

  private static let mediaType = "application/jose"
  private static let limit = 16 << 20
  /// The largest message: the body is in base64url twice.
  private static let sealedLimit = 32 << 20
}
