import HTTP
import Primitives

/// Receives a response from libcurl: header lines, then bytes of the body.
///
/// Ignores 1xx responses and trailers; the size of trailers counts as header size.
struct ResponseReader {
  /// The maximum size of header and trailers together, in bytes.
  static let headLimit = 64 << 10

  private var response: HTTPResponse
  private let receiver: HTTPBodyReceiver
  private var lines: [(name: String, value: String)] = []
  private var headSize = 0
  /// Whether the last status line and its fields are all there.
  private(set) var isHeadComplete = false
  /// Whether the sink has yet to be told of the response.
  ///
  /// After a 417, libcurl sends the request again without `Expect` (RFC 9110 section 10.1.1).
  private var isHeldBack = false
  /// Why a callback ended the transfer.
  private(set) var failure: TransportError?

  private let decodesContent: Bool
  private var decoders: ContentDecoders?

  init(url: HTTPURL, receiver: HTTPBodyReceiver, decodesContent: Bool = false) {
    response = HTTPResponse(status: 0, url: url)
    self.receiver = receiver
    self.decodesContent = decodesContent
  }

  /// What the server requested of client certificates in the handshake; set before the head ends.
  var certificateRequest: ClientCertificateRefusal? {
    get { response.certificateRequest }
    set { response.certificateRequest = newValue }
  }

  /// Protocol and status, for a log.
  var statusLine: String { "\(response.version) \(response.status)" }

  /// Whether the response is one of HTTP/3.
  var isHTTP3: Bool { response.version.hasPrefix("HTTP/3") }

  /// The response, after libcurl has completed the transfer.
  var result: Result<HTTPResponse, TransportError> {
    guard isHeadComplete else {
      return .failure(malformed("the server's response has no header"))
    }
    guard decoders?.mayEnd != false else {
      return .failure(malformed("the response's compressed body is not complete"))
    }
    return .success(response)
  }

  /// Receives one header line, with its line end.
  mutating func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headSize += bytes.count
    guard headSize <= Self.headLimit else {
      return fails(.tooLarge, "the response's header fields are larger than 64 KiB")
    }
    let line = withoutLineEnd(bytes)
    let isStatusLine = line.first == UInt8(ascii: "H") && line.starts(with: "HTTP/".utf8)
    if isStatusLine, !isHeadComplete || isHeldBack { return begins(text(line)) }
    guard !isHeadComplete else { return true }
    guard let first = line.first else { return endsHead() }
    if isBlank(first), let last = lines.popLast() {
      lines.append((last.name, "\(last.value) \(text(withoutBlanks(line)))"))
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      return fails(.malformed, "the response has a header line without a colon")
    }
    let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])
    lines.append(
      (text(UnsafeRawBufferPointer(rebasing: line[..<colon])), text(withoutBlanks(value))))
    return true
  }

  /// Tells the sink of a response that was held back; called at the end of the transfer.
  mutating func end() -> Bool {
    guard isHeldBack else { return true }
    isHeldBack = false
    guard case .sink(let sink) = receiver else { return true }
    return sink.begin(response) || fails(.responseBodyRefused, "the response was not wanted")
  }

  /// Receives bytes of the body.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // libcurl delivers what follows a 101 as a body.
    guard isHeadComplete else {
      return fails(.malformed, "the server's response has no header")
    }
    guard end() else { return false }
    guard let decoders else { return deliver(bytes) }
    do throws(ContentDecoder.Failure) {
      try decoders.decode(bytes) { deliver($0) }
      return true
    } catch {
      return error == .refused
        ? false : fails(.malformed, "the response's body could not be decoded")
    }
  }

  private mutating func deliver(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch receiver {
    case .collect(let limit):
      guard response.body.count + bytes.count <= limit else {
        return fails(.tooLarge, "the response is larger than \(limit) bytes")
      }
      response.body.append(contentsOf: bytes)
      return true
    case .sink(let sink):
      return sink.write(bytes)
        || fails(.responseBodyRefused, "the response's body could not be delivered")
    }
  }

  private mutating func begins(_ line: String) -> Bool {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[1].utf8.count == 3, let status = Int(words[1]), status >= 100
    else { return fails(.malformed, "the response has no status code") }
    response.version = String(words[0])
    response.status = status
    lines = []
    (isHeadComplete, isHeldBack) = (false, false)
    decoders = nil
    return true
  }

  private mutating func endsHead() -> Bool {
    guard response.status >= 200 else { return true }
    var fields = HTTPFields()
    for line in lines {
      guard let field = try? HTTPField(line.name, line.value) else {
        return fails(.malformed, "the response has a malformed header field")
      }
      fields.append(field)
    }
    // libcurl would decode any other coding, although no request asks for one.
    if let coding = fields.unwantedTransferCoding {
      return fails(
        .malformed, "the response has the transfer coding '\(coding)', which was not requested")
    }
    guard fields.hasOneLength else {
      return fails(.malformed, "the response has a Content-Length that is not a length")
    }
    if decodesContent, fields.contains("Content-Encoding") {
      decoders = ContentDecoders(fields.values(of: "Content-Encoding").joined(separator: ","))
      if decoders == nil {
        return fails(.malformed, "the response has a content coding that was not requested")
      }
    }
    response.fields = fields
    lines = []
    (isHeadComplete, isHeldBack) = (true, true)
    return response.status == 417 || end()
  }

  private mutating func fails(_ code: TransportError.Code, _ message: String) -> Bool {
    failure = TransportError(code, message, host: response.url.host)
    return false
  }

  private func malformed(_ message: String) -> TransportError {
    TransportError(.malformed, message, host: response.url.host)
  }
}

private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

private func withoutLineEnd(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  var line = bytes[...]
  if line.last == 0x0A { line.removeLast() }
  if line.last == 0x0D { line.removeLast() }
  return UnsafeRawBufferPointer(rebasing: line)
}

private func withoutBlanks(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  var (start, end) = (0, bytes.count)
  while start < end, isBlank(bytes[start]) { start += 1 }
  while end > start, isBlank(bytes[end - 1]) { end -= 1 }
  return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
}

/// What is not UTF-8 is read as Latin-1.
private func text(_ line: UnsafeRawBufferPointer) -> String {
  if line.allSatisfy({ $0 < 0x80 }) {
    // Nearly all fields are ASCII, which needs no decoding.
    return String(unsafeUninitializedCapacity: line.count) { buffer in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: line)
      return line.count
    }
  }
  if let text = String(validating: line, as: UTF8.self) { return text }
  var text = ""
  for byte in line { text.unicodeScalars.append(Unicode.Scalar(byte)) }
  return text
}
