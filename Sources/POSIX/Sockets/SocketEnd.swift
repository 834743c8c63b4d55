import CPOSIX
import Glibc
package import Primitives

/// The address and the port of one end of a connected TCP socket.
package struct SocketEnd: Sendable, Hashable {
  package enum Side { case local, remote }

  package let address: IPAddress
  package let port: Int

  package init(_ address: IPAddress, port: Int) {
    (self.address, self.port) = (address, port)
  }

  /// Takes a `sockaddr` of C; `nil` for what is no address of the Internet.
  package init?(raw: UnsafeRawBufferPointer) {
    self.init { cposix_end_of(raw.baseAddress, raw.count, $0, $1) }
  }

  /// `nil` for what is no connected TCP socket.
  package init?(_ side: Side, of descriptor: Int32) {
    self.init { cposix_end(descriptor, side == .remote ? 1 : 0, $0, $1) }
  }

  private init?(
    _ read: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt16>) -> Int32
  ) {
    var port: UInt16 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = Int(read(buffer.baseAddress, &port))
    }
    guard let address = IPAddress(bytes: bytes) else { return nil }
    (self.address, self.port) = (address, Int(port))
  }

  /// How the kernel writes it: words of 32 bits as this machine's numbers, and the port.
  fileprivate func entry(mapped: Bool) -> String {
    let bytes =
      mapped && address.bytes.count == 4
      ? [UInt8](repeating: 0, count: 10) + [0xff, 0xff] + address.bytes : address.bytes
    let words = stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].withUnsafeBytes {
        Self.digits(Int($0.loadUnaligned(as: UInt32.self)), count: 8)
      }
    }
    return words.joined() + ":" + Self.digits(port, count: 4)
  }

  private static func digits(_ number: Int, count: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: count - text.utf8.count) + text
  }
}

extension IPAddress {
  /// The addresses of a host by the name servers, in the order in which they are to be tried; may block.
  ///
  /// - Returns: at most `limit` of them; none if the name is not known.
  package static func all(of host: String, limit: Int) -> [IPAddress] {
    var found = [cposix_address](repeating: cposix_address(), count: limit)
    let count = max(0, Int(cposix_addresses(host, &found, Int32(limit))))
    return found.prefix(count).compactMap { raw in
      withUnsafeBytes(of: raw.bytes) { IPAddress(bytes: $0.prefix(Int(raw.count))) }
    }
  }
}

/// Whose program is at the other end of a TCP connection within this machine (Linux).
package enum ConnectionOwner {
  /// Whether a client that is connected to an end of this process, both of IPv4, belongs to this user; `false` if
  /// that is not known.
  package static func isThisUser(_ client: SocketEnd, connectedTo server: SocketEnd) -> Bool {
    guard client.address.bytes.count == 4, server.address.bytes.count == 4 else { return false }
    var user: UInt32 = 0
    if ask(client, server.address.bytes, server.port, &user) { return user == geteuid() }
    // The kernel knows the socket that listens, so it would know that of the client.
    if ask(server, [0, 0, 0, 0], 0, &user) { return false }
    // Not every kernel answers single questions; the tables take milliseconds. The client has a socket of IPv4, or
    // one of IPv6 whose addresses stand for those of IPv4.
    return ["/proc/net/tcp", "/proc/net/tcp6"].contains { path in
      let table = (try? FileReader.read(path, limit: 64 << 20)) ?? []
      return self.user(of: client, connectedTo: server, in: table) == geteuid()
    }
  }

  /// Asks the kernel who owns a socket; `false` without an answer.
  private static func ask(
    _ end: SocketEnd, _ remote: [UInt8], _ port: Int, _ user: inout UInt32
  ) -> Bool {
    cposix_socket_owner(end.address.bytes, UInt16(end.port), remote, UInt16(port), &user) == 0
  }

  /// The owner of the client's socket in the kernel's table of sockets (proc_net_tcp.txt of Linux); `nil` if
  /// it is not there, or no process has it open: such a socket has the owner 0.
  static func user(
    of client: SocketEnd, connectedTo server: SocketEnd, in table: [UInt8]
  ) -> UInt32? {
    for mapped in [false, true] {
      let entry = " \(client.entry(mapped: mapped)) \(server.entry(mapped: mapped)) "
      guard let line = line(after: entry, in: table) else { continue }
      // State, queues, timer, retransmissions, owner, timeout, inode.
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 7)
      guard fields.count > 6, !fields[6].elementsEqual([UInt8(ascii: "0")]) else { return nil }
      return UInt32(String(decoding: fields[4], as: UTF8.self))
    }
    return nil
  }

  /// What follows a text, up to the end of its line; tables may be long.
  private static func line(after text: String, in table: [UInt8]) -> [UInt8]? {
    (table + [0]).withUnsafeBytes { table in
      guard let start = table.baseAddress?.assumingMemoryBound(to: CChar.self),
        let found = text.withCString({ strstr(start, $0) })
      else { return nil }
      let rest = table[(UnsafePointer(found) - start + text.utf8.count)...]
      return Array(rest.prefix { $0 != UInt8(ascii: "\n") })
    }
  }
}
