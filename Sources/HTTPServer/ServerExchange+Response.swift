internal import CMicroHTTPD
import HTTP
import Synchronization

// The response, on any thread.
extension ServerExchange {
  /// A response up to this size is sent when it is complete.
  private static let smallLimit = 64 << 10

  /// Begins the response; `length` is that of its body, if it is known.
  package func begin(_ head: ServerReply, length: Int64?) {
    state.withLock { state in
      state.head = head
      state.length = length
      let isSmall = length.map { $0 <= Self.smallLimit } ?? false
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

  /// Ends the response.
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
