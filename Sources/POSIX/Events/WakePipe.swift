import CPOSIX
import Glibc

/// Ends a wait in `Poll` from another thread.
package final class WakePipe: Sendable {
  private let reader: FileDescriptor
  private let writer: FileDescriptor

  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    try checked("pipe", cposix_wake_pipe(&ends))
    reader = FileDescriptor(owning: ends[0])
    writer = FileDescriptor(owning: ends[1])
  }

  /// Becomes readable with `signal` and stays so until `drain`.
  package var descriptor: Int32 { reader.number }

  var signalDescriptor: Int32 { writer.number }

  /// Safe from any thread; if the pipe is full, the signal is already there.
  package func signal() {
    var byte: UInt8 = 1
    _ = Glibc.write(writer.number, &byte, 1)
  }

  package func drain() {
    var bytes: [UInt8] = [0]
    repeat { bytes = (try? reader.read(upTo: 64)) ?? [] } while bytes.count == 64
  }

  /// Waits for the next byte.
  func next() throws(SystemError) -> UInt8? {
    var entries = [Poll.Entry(reader.number, .read)]
    try Poll.wait(&entries, timeout: nil)
    return try reader.read(upTo: 1).first
  }
}
