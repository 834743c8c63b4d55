import POSIX

/// One listening socket.
final class ListeningSocket: Sendable {
  let socket: LoopbackSocket

  private init(_ family: LoopbackSocket.Family, port: UInt16) throws(SystemError) {
    socket = try LoopbackSocket.listen(family, port: port)
  }

  /// Listens on 127.0.0.1 and, if the machine has that address, on ::1 with the same port.
  static func open(_ port: UInt16) throws(SystemError) -> [ListeningSocket] {
    for _ in 0..<20 {
      if let sockets = try pair(port, orElseAnother: port == 0) { return sockets }
    }
    return try pair(port, orElseAnother: false) ?? []
  }

  /// `nil` if the port is free for IPv4 but not for IPv6, and another port can be used.
  private static func pair(
    _ port: UInt16, orElseAnother: Bool
  ) throws(SystemError) -> [ListeningSocket]? {
    let first = try ListeningSocket(.v4, port: port)
    do throws(SystemError) {
      return [first, try ListeningSocket(.v6, port: first.socket.port)]
    } catch {
      if error.isAddressMissing { return [first] }
      if error.isAddressInUse, orElseAnother { return nil }
      throw error
    }
  }
}
