import CPOSIX
import Glibc

/// A listening Unix domain socket that only this user reaches.
///
/// It gets its name once it listens, so a name that refuses
/// connections belongs to a process that has ended.
package final class LocalSocket: Sendable {
  private let socket: FileDescriptor
  private let folder: FileDescriptor
  private let name: String

  /// Listens under a name in a folder; names begin with no dot and have at most 80 bytes.
  package init(_ name: String, in folder: String) throws(SystemError) {
    self.name = name
    self.folder = try FileDescriptor.open(folder, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    let unready = "." + name
    unlinkat(self.folder.number, unready, 0)
    let number = try checked("bind", cposix_listen_local(self.folder.number, unready))
    socket = FileDescriptor(owning: number)
    let directory = self.folder.number
    try checked("rename") { renameat(directory, unready, directory, name) }
  }

  deinit { remove() }

  package func remove() { unlinkat(folder.number, name, 0) }

  package var descriptor: Int32 { socket.number }

  /// The next connection of this user; `nil` if there is none; those of others are closed.
  package func accept() throws(SystemError) -> FileDescriptor? {
    while true {
      let number = cposix_accept(socket.number)
      if number == -EAGAIN { return nil }
      let connection = FileDescriptor(owning: try checked("accept", number))
      if connection.isPeerThisUser { return connection }
    }
  }

  package static func names(in folder: String) -> [String] {
    ((try? Directory.entries(folder)) ?? []).filter { !$0.hasPrefix(".") }
  }

  /// A connection to a socket of this user; `nil` if no process listens on it.
  ///
  /// Removes the name of a socket whose process has ended. That of another user who listens is an error.
  package static func connect(
    to name: String, in folder: String
  ) throws(SystemError) -> FileDescriptor? {
    let folder = try FileDescriptor.open(folder, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    let number = cposix_connect_local(folder.number, name)
    if number == -ECONNREFUSED { unlinkat(folder.number, name, 0) }
    if number == -ECONNREFUSED || number == -ENOENT { return nil }
    let connection = FileDescriptor(owning: try checked("connect", number))
    guard connection.isPeerThisUser else {
      throw SystemError(
        "connect", path: name, code: EACCES, message: "a program of another user listens on it")
    }
    return connection
  }
}

extension FileDescriptor {
  /// Whether the other end of a Unix socket belongs to this user.
  fileprivate var isPeerThisUser: Bool {
    borrowing get {
      var user: UInt32 = 0
      return cposix_peer_user(number, &user) == 0 && user == geteuid()
    }
  }

  /// All bytes until the other side closes; `nil` after that time or beyond the limit.
  package borrowing func receiveAll(limit: Int, within time: Duration) -> [UInt8]? {
    let end = SystemClock.monotonic() + time
    var bytes: [UInt8] = []
    while bytes.count <= limit {
      switch receive(upTo: limit + 1 - bytes.count) {
      case .end: return bytes
      case .bytes(let more): bytes += more
      case .nothingYet:
        let left = end - SystemClock.monotonic()
        var entries = [Poll.Entry(number, .read)]
        guard left > .zero else { return nil }
        _ = try? Poll.wait(&entries, timeout: left)
      }
    }
    return nil
  }
}

/// A listening socket that only this machine reaches.
package struct LoopbackSocket: ~Copyable, Sendable {
  package enum Family: Sendable { case v4, v6 }

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

  package var descriptor: Int32 { socket.number }

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
