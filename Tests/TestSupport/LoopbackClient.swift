import Glibc

/// Sockets that connect to a port of this machine.
package enum LoopbackClient {
  /// The descriptor of a connection, which programs that are started do not inherit.
  package static func connect(to port: UInt16, v6: Bool = false) -> Int32? {
    let number = socket(
      v6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let code = v6 ? connect6(number, port) : connect4(number, port)
    if code == 0 { return number }
    close(number)
    return nil
  }

  private static func connect4(_ number: Int32, _ port: UInt16) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private static func connect6(_ number: Int32, _ port: UInt16) -> Int32 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
  }
}
