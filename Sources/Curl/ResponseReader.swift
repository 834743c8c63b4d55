import HTTP
import Primitives

/// Takes a response as libcurl brings it: lines of the head, then bytes of the body.
///
/// Heads of 1xx answers are passed over; so are trailers, though they count as head.
struct ResponseReader {
  /// How large head and trailers may be together.
  static let headLimit = 64 << 10

  private var response: HTTPResponse
  private let receiver: HTTPBodyReceiver
  private var lines: [(name: String, value: String)] = []
  private var headSize = 0
  /// Whether the last status line and its fields are all there.
  private(set) var isHeadComplete = false
  /// Why a callback said no.
  private(set) var failure: TransportError?

  init(url: HTTPURL, receiver: HTTPBodyReceiver) {
    response = HTTPResponse(status: 0, url: url)
    self.receiver = receiver
  }

  /// Protocol and status, for a log.
  var statusLine: String { "\(response.version) \(response.status)" }

  /// What came, once libcurl says that it is complete.
  var result: Result<HTTPResponse, TransportError> {
    guard isHeadComplete else {
      return .failure(malformed("the server's answer has no head"))
    }
    return .success(response)
  }

  /// Takes one line of a head, with its end.
  mutating func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headSize += bytes.count
    guard headSize <= Self.headLimit else {
      return fails(.tooLarge, "the response's header fields are larger than 64 KiB")
    }
    guard !isHeadComplete else { return true }
    let line = text(bytes)
    if line.hasPrefix("HTTP/") { return begins(line) }
    guard !line.isEmpty else { return endsHead() }
    if line.hasPrefix(" ") || line.hasPrefix("\t"), let last = lines.popLast() {
      lines.append((last.name, "\(last.value) \(line.trimmingBlanks)"))
      return true
    }
    guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      return fails(.malformed, "the response has a header line without a colon")
    }
    lines.append(
      (String(line[..<colon]), String(line.unicodeScalars[colon...].dropFirst()).trimmingBlanks))
    return true
  }

  /// Takes bytes of the body.
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
        return fails(.malformed, "the response has a header field that is none")
      }
      fields.append(field)
    }
    // libcurl would unpack any other coding, though no request asks for one.
    if let coding = fields.unwantedTransferCoding {
      return fails(.malformed, "the response has the transfer coding '\(coding)', not asked for")
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
  /// The first transfer coding beside `chunked`; `identity` is the old word for none.
  fileprivate var unwantedTransferCoding: String? {
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

/// A line without its end; what is not UTF-8 is read as Latin-1.
private func text(_ bytes: UnsafeRawBufferPointer) -> String {
  var line = bytes[...]
  if line.last == 0x0A { line.removeLast() }
  if line.last == 0x0D { line.removeLast() }
  if let text = String(validating: line, as: UTF8.self) { return text }
  var text = ""
  for byte in line { text.unicodeScalars.append(Unicode.Scalar(byte)) }
  return text
}
