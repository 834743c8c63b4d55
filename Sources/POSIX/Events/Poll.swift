import CPOSIX
import Glibc

/// Waits until one of several descriptors is ready.
package enum Poll {
  package struct Interest: OptionSet, Sendable, Hashable {
    package let rawValue: Int16
    package init(rawValue: Int16) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: Int16(POLLIN))
    package static let write = Interest(rawValue: Int16(POLLOUT))
  }

  package struct Entry: Sendable {
    package let descriptor: Int32
    package let interest: Interest
    /// What the last wait found.
    package fileprivate(set) var ready: Interest = []

    package init(_ descriptor: Int32, _ interest: Interest) {
      self.descriptor = descriptor
      self.interest = interest
    }
  }

  /// Returns how many entries are ready: 0 after `timeout`; without a timeout, waits forever.
  @discardableResult
  package static func wait(
    _ entries: inout [Entry], timeout: Duration?
  ) throws(SystemError) -> Int {
    var raw = entries.map { pollfd(fd: $0.descriptor, events: $0.interest.rawValue, revents: 0) }
    let milliseconds = timeout.map(milliseconds(of:)) ?? -1
    let count = try checked("poll") { poll(&raw, nfds_t(raw.count), milliseconds) }
    for index in entries.indices {
      entries[index].ready = Interest(rawValue: raw[index].revents)
    }
    return Int(count)
  }

  /// Rounded up, so that a wait never ends early and then repeats without pause.
  private static func milliseconds(of duration: Duration) -> Int32 {
    let parts = duration.components
    if parts.seconds < 0 || parts.attoseconds < 0 { return 0 }
    let fraction = (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(min(parts.seconds, 1_000_000) * 1000 + fraction)
  }
}

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

  func next() throws(SystemError) -> UInt8? {
    var entries = [Poll.Entry(reader.number, .read)]
    try Poll.wait(&entries, timeout: nil)
    return try reader.read(upTo: 1).first
  }
}

/// Waits for descriptors without blocking a thread of Swift's concurrency.
package enum Readiness {
  /// Returns when a read from the descriptor would not wait; `false` if the task is cancelled or the
  /// deadline passes first.
  package static func wait(
    for descriptor: Int32, until deadline: ContinuousClock.Instant? = nil
  ) async throws(SystemError) -> Bool {
    var entries = [Poll.Entry(descriptor, .read)]
    // Usually it is ready, and no other thread is needed.
    if try Poll.wait(&entries, timeout: .zero) > 0 { return !Task.isCancelled }
    return try await BackgroundThread.run(wrapping: { $0 }) { (wake) throws(SystemError) in
      var entries = [Poll.Entry(wake.descriptor, .read), Poll.Entry(descriptor, .read)]
      let left = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
      return try Poll.wait(&entries, timeout: left) > 0 && entries[0].ready.isEmpty
    }
  }
}
