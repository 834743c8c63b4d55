import CPOSIX
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
