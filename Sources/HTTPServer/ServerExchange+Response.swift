import CMicroHTTPD
import HTTP
import Synchronization

// The response, on any thread.
extension ServerExchange {
  /// Begins the response; `length` is that of its body, if it is known.
  ///
  /// A response that can wait here is sent when it is complete.
  package func begin(_ head: ServerReply, length: Int64?) {
    state.withLock { state in
      state.head = head
      state.length = length
      let isSmall = length.map { $0 <= Self.limit } ?? false
      if !isSmall { ready(&state) }
    }
  }

  /// Adds bytes to the body; `false` if the client does not take them any more.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let piece = Array(bytes)
    return state.withLock { state in
      guard !state.hasFailed else { return false }
      state.output.append(piece)
      if state.isReady { state.resume() }
      guard state.output.count >= Self.limit else { return true }
      gate.setSuspended(true)
      // The library sends nothing before it has read the request: the rest of it is not needed.
      if !state.input.isComplete { state.input.isDropped = true }
      ready(&state)
      return true
    }
  }

  package func finish() {
    state.withLock { state in
      state.isOutputComplete = true
      ready(&state)
    }
  }

  /// Sends a whole response, unless another one has begun: then the connection is closed, so that the
  /// client does not take a part of a body for the whole.
  package func fail(with reply: ServerReply) {
    state.withLock { state in
      guard !state.isReady else {
        state.hasFailed = true
        return state.resume()
      }
      (state.head, state.length) = (reply, Int64(reply.body.count))
      state.output.removeAll()
      state.output.append(reply.body)
      state.isOutputComplete = true
      ready(&state)
    }
  }

  /// Sends a response whose body is made while it is sent.
  ///
  /// The closure fills a buffer with the bytes from a position on and returns how many; `nil` closes the
  /// connection. It is called on the server's thread, which must not wait.
  package func respond(
    _ head: ServerReply, length: Int64,
    reading read: @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int?
  ) {
    state.withLock { state in
      (state.head, state.length) = (head, length)
      state.source = ServerBodySource(read)
      state.isOutputComplete = true
      ready(&state)
    }
  }

  /// Closes the connection without a response of the library, after something was written on its session.
  package func takeOver(_ write: @escaping TakeOver) {
    state.withLock { state in
      state.takeOver = write
      ready(&state)
    }
  }

  private func ready(_ state: inout State) {
    state.isReady = true
    state.resume()
  }
}

/// A body that is made while it is sent.
final class ServerBodySource: Sendable {
  fileprivate let read: @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int?

  init(_ read: @escaping @Sendable (Int, UnsafeMutableRawBufferPointer) -> Int?) {
    self.read = read
  }
}

func readSource(
  _ box: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
  _ size: Int
) -> Int {
  guard let box else { return Int(CHTTPD_FAILED) }
  let source = Unmanaged<ServerBodySource>.fromOpaque(box).takeUnretainedValue()
  let buffer = UnsafeMutableRawBufferPointer(start: buffer, count: size)
  return source.read(Int(clamping: position), buffer) ?? Int(CHTTPD_FAILED)
}

func releaseSource(_ box: UnsafeMutableRawPointer?) {
  if let box { Unmanaged<ServerBodySource>.fromOpaque(box).release() }
}

extension ServerReply {
  /// Queues the response, which has its body here; `false` if that is not possible.
  func queue(on connection: ServerConnection) -> Bool {
    queue(body.withUnsafeBytes { chttpd_response($0.baseAddress, $0.count) }, on: connection)
  }

  /// Queues a response with the status and the fields.
  func queue(_ response: OpaquePointer?, on connection: ServerConnection) -> Bool {
    guard let response else { return false }
    for field in fields {
      // The library refuses what would end a line, which no field has.
      let value = field.valueBytes.map { CChar(bitPattern: $0) } + [0]
      _ = chttpd_add_field(response, field.name, value)
    }
    return chttpd_queue(connection.raw, UInt32(status), response) == 1
  }
}

/// Bytes that are appended at one end and taken at the other, in pieces: who takes them copies them, outside a lock.
struct ByteQueue {
  private var pieces: [ArraySlice<UInt8>] = []
  /// The index of the first piece that was not taken.
  private var first = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ piece: [UInt8]) {
    count += piece.count
    let last = pieces.last?.count ?? 0
    if last > 0, last + piece.count <= Self.pieceLimit {
      pieces[pieces.count - 1] += piece
    } else if !piece.isEmpty {
      pieces.append(piece[...])
    }
  }

  /// Removes the next bytes, at most so many.
  mutating func take(_ limit: Int) -> [ArraySlice<UInt8>] {
    var taken: [ArraySlice<UInt8>] = []
    var left = limit
    while left > 0, first < pieces.count {
      let piece = pieces[first].prefix(left)
      taken.append(piece)
      left -= piece.count
      if piece.count < pieces[first].count {
        pieces[first] = pieces[first].dropFirst(piece.count)
      } else {
        pieces[first] = []
        first += 1
      }
    }
    if first > pieces.count / 2 {
      pieces.removeSubrange(..<first)
      first = 0
    }
    count -= limit - left
    return taken
  }

  mutating func removeAll() { self = ByteQueue() }

  /// Pieces up to this size are put together: a record of TLS has as much.
  private static let pieceLimit = 16 << 10
}

extension UnsafeMutableRawBufferPointer {
  /// Fills the buffer with pieces that fit into it; returns how many bytes they have.
  func fill(with pieces: [ArraySlice<UInt8>]) -> Int {
    var count = 0
    for piece in pieces {
      let rest = UnsafeMutableRawBufferPointer(rebasing: self[count...])
      piece.withUnsafeBytes { rest.copyMemory(from: $0) }
      count += piece.count
    }
    return count
  }
}
