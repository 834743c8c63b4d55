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

  private func ready(_ state: inout State) {
    state.isReady = true
    state.resume()
  }
}
