import CPOSIX
package import Primitives

/// The address and the port of one end of a connected TCP socket.
package struct SocketEnd: Sendable, Hashable {
  package enum Side { case local, remote }

  package let address: IPAddress
  package let port: Int

  /// `nil` for what is no connected TCP socket.
  package init?(_ side: Side, of descriptor: Int32) {
    var port: UInt16 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      count = Int(cposix_end(descriptor, side == .remote ? 1 : 0, buffer.baseAddress, &port))
    }
    guard let address = IPAddress(bytes: bytes) else { return nil }
    (self.address, self.port) = (address, Int(port))
  }
}
