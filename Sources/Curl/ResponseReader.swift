import HTTP
import Primitives

/// Receives a response from libcurl: header lines, then bytes of the body.
///
/// Ignores 1xx responses and trailers; the size of trailers counts as header size.
struct ResponseReader {
  /// The maximum size of header and trailers together, in bytes.
  static let headLimit = 64 << 10
  /// The maximum number of their lines; libcurl 8 has a limit of 5,000 fields.
  static let lineLimit = 4096

  /// The response as far as it has arrived; its status is 0 before there is one.
  var response: HTTPResponse
  private let receiver: HTTPBodyReceiver
  private var fields: [HTTPField] = []
  private var hasMalformedField = false
  private var headSize = 0
  private var lineCount = 0
  /// Whether the last status line and its fields are all there.
  private(set) var isHeadComplete = false
  /// Whether the sink has yet to be told of the response.
  ///
  /// After a 417, libcurl sends the request again without `Expect` (RFC 9110 section 10.1.1).
  private var isHeldBack = false
  /// Whether the connection may be one of HTTP/2.
  var isMultiplexed = true
  /// Whether a response may have a body: not that to a HEAD.
  var hasBody = true
  /// Whether the end of the connection is one that the server meant: anybody on the way can cut a connection.
  var isEndAnnounced = true
  /// How many bytes of the body are yet to come; `nil` if the response does not say it in
  /// `Content-Range`.
  private var missing: Int64?
  /// The lines that continue the last field (RFC 9112 section 5.2).
  private var folded: [String] = []
  /// Why a callback ended the transfer.
  private(set) var failure: TransportError?

  private let decodesContent: Bool
  private var decoder: ContentDecoder?

  init(url: HTTPURL, receiver: HTTPBodyReceiver, decodesContent: Bool = false) {
    response = HTTPResponse(status: 0, url: url)
    self.receiver = receiver
    self.decodesContent = decodesContent
  }

  /// The response, after libcurl has completed the transfer.
  var result: Result<HTTPResponse, TransportError> {
    guard isHeadComplete else {
      return .failure(headError)
    }
    guard decoder?.mayEnd != false else {
      return .failure(malformed("the response's compressed body is not complete"))
    }
    guard isEndAnnounced || !endsWithConnection, missing ?? 0 == 0 else {
      return .failure(
        TransportError(
          .connection, "the connection closed before the response was complete",
          host: response.url.host))
    }
    return .success(response)
  }

  /// Whether only the end of the connection ends the body (RFC 9112 sections 6.3 and 9.8).
  ///
  /// Servers of HTTP/1.0 end each body so, and those in use, such as Python's, do not announce it.
  private var endsWithConnection: Bool {
    hasBody && response.version == "HTTP/1.1" && ![204, 304].contains(response.status)
      && missing == nil && !response.fields.contains("Content-Length")
      && !response.fields.areInChunks
  }

  /// Receives header lines with their line ends: one, or all that libcurl has kept while the transfer was suspended.
  mutating func receiveLines(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      guard receiveLine(UnsafeRawBufferPointer(rebasing: rest[..<end])) else { return false }
      rest = rest[end...]
    }
    return true
  }

  private mutating func receiveLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headSize += bytes.count
    guard headSize <= Self.headLimit else {
      return fails(.tooLarge, "the response's header fields are larger than 64 KiB")
    }
    lineCount += 1
    guard lineCount <= Self.lineLimit else {
      return fails(.tooLarge, "the response has more than \(Self.lineLimit) header lines")
    }
    let line = withoutLineEnd(bytes)
    let isStatusLine = line.first == UInt8(ascii: "H") && line.starts(with: "HTTP/".utf8)
    if isStatusLine, !isHeadComplete || isHeldBack { return begins(line) }
    guard !isHeadComplete else { return true }
    guard let first = line.first else { return endsHead() }
    if first.isBlank, !fields.isEmpty {
      folded.append(receivedText(line).trimmingBlanks)
      return true
    }
    unfold()
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      return fails(.malformed, "the response has a header line without a colon")
    }
    append(
      HTTPField(
        receivedName: UnsafeRawBufferPointer(rebasing: line[..<colon]),
        value: UnsafeRawBufferPointer(rebasing: line[(colon + 1)...])))
    return true
  }

  /// Joins the last field with the lines that continue it.
  private mutating func unfold() {
    guard !folded.isEmpty, let last = fields.popLast() else { return }
    append(try? HTTPField(last.name, ([last.value] + folded).joined(separator: " ")))
    folded = []
  }

  /// Adds a field; a malformed one counts once the head is complete, as 1xx responses are ignored.
  private mutating func append(_ field: HTTPField?) {
    if let field { fields.append(field) } else { hasMalformedField = true }
  }

  /// Tells the sink of a response that was held back; called at the end of the transfer.
  mutating func end() -> Bool {
    guard isHeldBack else { return true }
    isHeldBack = false
    guard case .sink(let sink) = receiver else { return true }
    return sink.begin(response) || fails(.responseBodyRefused, "the response was not wanted")
  }

  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // libcurl delivers what follows a 101 as a body.
    guard isHeadComplete else {
      return fails(.malformed, "the server's response has no header")
    }
    guard end() else { return false }
    if let missing {
      guard bytes.count <= missing else {
        return fails(.malformed, "the response's body is longer than its Content-Range")
      }
      self.missing = missing - Int64(bytes.count)
    }
    guard let decoder else { return deliver(bytes) }
    do throws(ContentDecoder.Failure) {
      try decoder.decode(bytes) { deliver($0) }
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

  private mutating func begins(_ line: UnsafeRawBufferPointer) -> Bool {
    let blank = UInt8(ascii: " ")
    let version = line.prefix { $0 != blank }
    let rest = line[version.endIndex...].drop { $0 == blank }
    let digits = rest.prefix { $0 != blank }
    guard digits.count == 3, digits.allSatisfy(\.isDigit), digits.first != UInt8(ascii: "0") else {
      return fails(.malformed, "the response has no status code")
    }
    let status = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    response.version = receivedText(UnsafeRawBufferPointer(rebasing: version))
    guard isMultiplexed || response.version.hasPrefix("HTTP/1.") else {
      return fails(.malformed, "the response is of \(response.version) on a connection of HTTP/1.1")
    }
    response.status = status
    let reason = rest[digits.endIndex...].dropFirst()
    response.reason = receivedText(UnsafeRawBufferPointer(rebasing: reason))
    fields.removeAll(keepingCapacity: true)
    folded = []
    missing = nil
    hasMalformedField = false
    (isHeadComplete, isHeldBack) = (false, false)
    decoder = nil
    return true
  }

  private mutating func endsHead() -> Bool {
    unfold()
    guard response.status >= 200 else { return true }
    if hasMalformedField { return fails(.malformed, "the response has a malformed header field") }
    let fields = HTTPFields(fields)
    // libcurl would decode any other coding, although no request asks for one.
    if let coding = fields.unwantedTransferCoding {
      return fails(
        .malformed, "the response has the transfer coding '\(coding)', which was not requested")
    }
    guard fields.hasOneLength else {
      return fails(.malformed, "the response has a Content-Length that is not a length")
    }
    guard !fields.hasTwoEnds else {
      return fails(.malformed, "the response has a Content-Length beside Transfer-Encoding")
    }
    if decodesContent, fields.contains("Content-Encoding") {
      do throws(ContentDecoder.Failure) {
        decoder = try .named(fields.values(of: "Content-Encoding").joined(separator: ","))
      } catch {
        return fails(.malformed, "the response has a content coding that was not requested")
      }
    }
    response.fields = fields
    if response.status == 206, hasBody {
      missing = response.contentRange?.bytes.map { Int64($0.count) }
    }
    self.fields = []
    (isHeadComplete, isHeldBack) = (true, true)
    return response.status == 417 || end()
  }

  private mutating func fails(_ code: TransportError.Code, _ message: String) -> Bool {
    failure = TransportError(code, message, host: response.url.host)
    return false
  }

  /// Why there is no complete header, although libcurl has found no error.
  private var headError: TransportError {
    guard response.status != 0, response.status != 101 else {
      return malformed("the server's response has no header")
    }
    return TransportError(
      .connection, "the connection closed before the response's header was complete",
      host: response.url.host)
  }

  private func malformed(_ message: String) -> TransportError {
    TransportError(.malformed, message, host: response.url.host)
  }
}

private func withoutLineEnd(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  var line = bytes[...]
  if line.last == 0x0A { line.removeLast() }
  if line.last == 0x0D { line.removeLast() }
  return UnsafeRawBufferPointer(rebasing: line)
}

// What decides where the body of a response ends (RFC 9112 section 6).
extension HTTPFields {
  /// Whether `Content-Length` is absent, or one number of bytes however often it is repeated.
  ///
  /// libcurl ignores numbers that are too large, and takes one of several (RFC 9112 section 6.3).
  var hasOneLength: Bool {
    guard contains("Content-Length") else { return true }
    let lengths = members(of: "Content-Length")
    guard let first = lengths.first else { return false }
    return first.utf8.allSatisfy(\.isDigit) && Int64(first) != nil
      && lengths.allSatisfy { $0 == first }
  }

  /// Whether both a length and chunks say where the body ends, as in a response that was put into
  /// another (RFC 9112 section 6.3).
  var hasTwoEnds: Bool { contains("Content-Length") && areInChunks }

  /// Whether the body comes in chunks, the last of which is its end.
  var areInChunks: Bool {
    values(of: "Transfer-Encoding").contains { $0.asciiLowercased.containsText("chunked") }
  }

  /// The first transfer coding other than `chunked` and `identity` (the old name of no coding).
  var unwantedTransferCoding: String? {
    members(of: "Transfer-Encoding")
      .first { !["chunked", "identity"].contains($0.asciiLowercased) }
      .map { String($0.prefix(40)) }
  }
}
