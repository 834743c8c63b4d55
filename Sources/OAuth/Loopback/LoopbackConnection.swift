import POSIX
import Primitives

/// One connection to the listener, from a browser or another program.
final class LoopbackConnection {
  enum Stage {
    case reading
    /// The request arrived before the login waits for it.
    case parked
    /// The browser asked for the outcome before the login ended.
    case held
    case writing
    /// The response is sent; further input is discarded, so that no reset loses the response.
    case draining
  }

  private(set) var stage = Stage.reading
  private(set) var received: [UInt8] = []
  private(set) var deadline: Duration?
  /// Whether its response is the outcome of the login.
  private(set) var isLast = false
  private(set) var isClosed = false
  private let socket: FileDescriptor
  private var unsent: ArraySlice<UInt8> = []

  init(_ socket: consuming FileDescriptor, at now: Duration) {
    self.socket = socket
    deadline = now + .seconds(10)
  }

  var entry: Poll.Entry {
    switch stage {
    case .writing: Poll.Entry(socket.number, .write)
    case .reading, .draining: Poll.Entry(socket.number, .read)
    // Only the end of these connections is watched, not their input.
    case .parked, .held: Poll.Entry(socket.number, [])
    }
  }

  /// Whether it may be dropped for another connection.
  var isIdle: Bool {
    switch stage {
    case .reading: received.isEmpty
    case .draining: true
    case .parked, .held, .writing: false
    }
  }

  /// Reads what has arrived; returns whether there is new input.
  func receive() -> Bool {
    switch socket.receive(upTo: 32_768) {
    case .nothingYet: return false
    case .end:
      isClosed = true
      return false
    case .bytes(let bytes):
      guard case .reading = stage else { return false }
      received += bytes
      return true
    }
  }

  func park() { (stage, deadline) = (.parked, nil) }

  func unpark(at now: Duration) { (stage, deadline) = (.reading, now + .seconds(10)) }

  func hold(until deadline: Duration) { (stage, self.deadline) = (.held, deadline) }

  func respond(_ bytes: [UInt8], at now: Duration, isLast: Bool = false) {
    unsent = bytes[...]
    received = []
    self.isLast = isLast
    (stage, deadline) = (.writing, now + .seconds(10))
    send(at: now)
  }

  func send(at now: Duration) {
    guard case .writing = stage else { return }
    guard let sent = socket.send(unsent) else {
      isClosed = true
      return
    }
    unsent = unsent.dropFirst(sent)
    if unsent.isEmpty {
      socket.finishSending()
      (stage, deadline) = (.draining, now + .seconds(2))
    }
  }

  func close() { isClosed = true }

  /// Whether the response was given to the system.
  var isSent: Bool {
    if case .draining = stage { return true }
    return false
  }
}

/// Request line and fields of one HTTP/1 request, as far as this listener needs them.
struct LoopbackHead {
  static let limit = 16_384

  enum ParseResult {
    case incomplete
    /// The head, and how many bytes it took.
    case complete(LoopbackHead, size: Int)
    case malformed
    case lineTooLong
    case fieldsTooLong
  }

  let method: String
  let path: String
  let query: String
  private let fields: [(name: String, value: String)]

  static func read(_ bytes: [UInt8]) -> ParseResult {
    let size = size(of: bytes)
    guard size ?? bytes.count <= limit else {
      let line = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      return line > limit ? .lineTooLong : .fieldsTooLong
    }
    guard let size else { return .incomplete }
    return LoopbackHead(bytes[..<(size - 4)]).map { .complete($0, size: size) } ?? .malformed
  }

  /// The value of a field that occurs exactly once.
  func only(_ name: String) -> String? {
    let found = fields.filter { $0.name == name }
    return found.count == 1 ? found.first?.value : nil
  }

  func has(_ name: String) -> Bool { fields.contains { $0.name == name } }

  private init?(_ bytes: ArraySlice<UInt8>) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }[...]
    guard
      let first = lines.popFirst(), first.allSatisfy({ (0x20...0x7e).contains($0) })
    else { return nil }
    let words = String(decoding: first, as: UTF8.self)
      .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard
      words.count == 3, !words[0].isEmpty, words[1].hasPrefix("/"),
      ["HTTP/1.1", "HTTP/1.0"].contains(words[2])
    else { return nil }
    let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    method = words[0]
    path = parts.first.map(String.init) ?? ""
    query = parts.count == 2 ? String(parts[1]) : ""
    var fields: [(name: String, value: String)] = []
    for line in lines {
      guard let field = Self.field(line) else { return nil }
      fields.append(field)
    }
    self.fields = fields
  }

  private static func field(_ line: ArraySlice<UInt8>) -> (name: String, value: String)? {
    guard
      let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy({ (0x21...0x7e).contains($0) }),
      line[colon...].allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
    else { return nil }
    let value = line[colon...].dropFirst().drop(while: \.isBlank)
    let end = value.lastIndex { !$0.isBlank }.map { $0 + 1 } ?? value.startIndex
    return (
      String(decoding: line[..<colon], as: UTF8.self).asciiLowercased,
      String(decoding: value[..<end], as: UTF8.self)
    )
  }

  private static func size(of bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    var index = 3
    while index < bytes.count {
      if bytes[index] == end[3], bytes[(index - 3)...index].elementsEqual(end) { return index + 1 }
      index += 1
    }
    return nil
  }
}
