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
    if parts.seconds > 1_000_000 { return 1_000_000_000 }
    let fraction = (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return Int32(parts.seconds * 1000 + fraction)
  }
}
