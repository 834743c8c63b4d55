import Glibc

/// The result of a read from a non-blocking socket.
package enum Received: Sendable, Hashable {
  case bytes([UInt8])
  case nothingYet
  /// The other side has closed the connection.
  case end
}

extension FileDescriptor {
  /// Reads what has arrived, up to `count` bytes.
  package borrowing func receive(upTo count: Int) -> Received {
    do throws(SystemError) {
      let bytes = try read(upTo: count)
      return bytes.isEmpty ? .end : .bytes(bytes)
    } catch {
      return error.code == EAGAIN ? .nothingYet : .end
    }
  }

  /// Sends what fits now and returns the byte count; `nil` if the other side has closed.
  package borrowing func send(_ bytes: ArraySlice<UInt8>) -> Int? {
    while true {
      let sent = bytes.withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent >= 0 { return sent }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { return nil }
    }
  }

  /// Ends sending; the other side can still read what was sent.
  package borrowing func finishSending() { shutdown(number, Int32(SHUT_WR)) }
}
