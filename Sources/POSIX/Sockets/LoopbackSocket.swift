import CPOSIX
import Glibc

/// A listening socket that only this machine reaches.
package struct LoopbackSocket: ~Copyable, Sendable {
  package enum Family: Sendable { case v4, v6 }

  /// The port it listens on.
  package let port: UInt16
  private let socket: FileDescriptor

  /// Listens on 127.0.0.1 or ::1; port 0 takes a free one.
  package static func listen(
    _ family: Family, port: UInt16 = 0
  ) throws(SystemError) -> LoopbackSocket {
    var bound: UInt16 = 0
    let number = try checked("bind", cposix_listen_loopback(family == .v6 ? 1 : 0, port, &bound))
    return LoopbackSocket(port: bound, socket: FileDescriptor(owning: number))
  }

  /// For `Poll`.
  package var descriptor: Int32 { socket.number }

  /// The next connection; `nil` if there is none.
  package borrowing func accept() throws(SystemError) -> FileDescriptor? {
    let number = cposix_accept(socket.number)
    if number == -EAGAIN { return nil }
    return FileDescriptor(owning: try checked("accept", number))
  }
}

extension SystemError {
  /// The machine does not have that kind of address.
  package var isAddressMissing: Bool {
    code == EADDRNOTAVAIL || code == EAFNOSUPPORT || code == EPROTONOSUPPORT
  }
}
