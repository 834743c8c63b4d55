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
  /// Why a callback ended the transfer.
  private(set) var failure: TransportError?

  init(url: HTTPURL, receiver: HTTPBodyReceiver) {
    response = HTTPResponse(status: 0, url: url)
    self.receiver = receiver
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
    return .success(response)
  }

  /// Receives one header line, with its line end.
  mutating func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headSize += bytes.count
    guard headSize <= Self.headLimit else {
      return fails(.tooLarge, "the response's header fields are larger than 64 KiB")
    }
    guard !isHeadComplete else { return true }
    let line = withoutLineEnd(bytes)
    guard let first = line.first else { return endsHead() }
    if first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) { return begins(text(line)) }
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

  /// Receives bytes of the body.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
    response.fields = fields
    lines = []
    isHeadComplete = true
    guard case .sink(let sink) = receiver else { return true }
    return sink.begin(response) || fails(.responseBodyRefused, "the response was not wanted")
  }

  private mutating func fails(_ code: TransportError.Code, _ message: String) -> Bool {
    failure = TransportError(code, message, host: response.url.host)
    return false
  }

  private func malformed(_ message: String) -> TransportError {
    TransportError(.malformed, message, host: response.url.host)
  }
}

extension HTTPFields {
  /// Whether `Content-Length` is absent, or one number of bytes however often it is repeated.
  ///
  /// libcurl ignores numbers that are too large, and takes one of several (RFC 9112 section 6.3).
  fileprivate var hasOneLength: Bool {
    let values = values(of: "Content-Length")
    if values.isEmpty { return true }
    if values.count == 1, values[0].utf8.allSatisfy(\.isDigit) { return Int64(values[0]) != nil }
    let lengths = values.flatMap { $0.split(separator: ",") }.map(\.trimmingBlanks)
    guard let first = lengths.first else { return true }
    return first.utf8.allSatisfy(\.isDigit) && Int64(first) != nil
      && lengths.allSatisfy { $0 == first }
  }

  /// The first transfer coding beside `chunked`; `identity` is the old word for none.
  fileprivate var unwantedTransferCoding: String? {
    guard contains("Transfer-Encoding") else { return nil }
    for value in values(of: "Transfer-Encoding") {
      for part in value.split(separator: ",") {
        let coding = part.trimmingBlanks
        if !["chunked", "identity"].contains(coding.asciiLowercased) {
          return String(coding.prefix(40))
        }
      }
    }
    return nil
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
