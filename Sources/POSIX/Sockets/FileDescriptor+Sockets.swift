import Glibc

/// What a socket that never blocks had to say.
package enum Received: Sendable, Hashable {
  case bytes([UInt8])
  case nothingYet
  /// The other side has said all, or is gone.
  case end
}

extension FileDescriptor {
  /// Takes what has arrived, up to `count` bytes.
  package borrowing func receive(upTo count: Int) -> Received {
    do throws(SystemError) {
      let bytes = try read(upTo: count)
      return bytes.isEmpty ? .end : .bytes(bytes)
    } catch {
      return error.code == EAGAIN ? .nothingYet : .end
    }
  }

  /// Sends what fits now and answers how much; nil when the other side is gone.
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

  /// Says that nothing more will be sent, and leaves the other side time to read.
  package borrowing func finishSending() { shutdown(number, Int32(SHUT_WR)) }
}
