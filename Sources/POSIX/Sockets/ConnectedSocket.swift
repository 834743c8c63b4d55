import CPOSIX
package import Primitives

/// A TCP connection to another machine, made by this process; its socket does not block.
package final class ConnectedSocket: Sendable {
  private let socket: FileDescriptor

  /// The address that it is connected to.
  package let address: IPAddress

  private init(_ socket: consuming FileDescriptor, _ address: IPAddress) {
    self.socket = socket
    self.address = address
  }

  /// Connects to an address; `nil` if the deadline passes, or the pipe becomes readable.
  ///
  /// - Throws: ``SystemError`` if there is no connection.
  package static func connect(
    to address: IPAddress, _ port: UInt16, until deadline: ContinuousClock.Instant,
    or wake: WakePipe
  ) throws(SystemError) -> ConnectedSocket? {
    var raw = cposix_address()
    raw.count = UInt8(address.bytes.count)
    withUnsafeMutableBytes(of: &raw.bytes) { $0.copyBytes(from: address.bytes) }
    let descriptor = FileDescriptor(owning: try checked("connect", cposix_connect(&raw, port)))
    guard try isReady(descriptor.number, .write, deadline, wake) else { return nil }
    let code = cposix_connection_error(descriptor.number)
    guard code == 0 else { throw SystemError("connect", code: code) }
    return ConnectedSocket(descriptor, address)
  }

  /// Its number, as long as this value exists.
  package var descriptor: Int32 { socket.number }

  /// Another number of the socket, which the caller closes.
  package func duplicate() throws(SystemError) -> Int32 {
    try checked("dup", cposix_duplicate(socket.number))
  }

  /// Sends bytes, few enough to fit at once; `false` if the other side has closed.
  package func send(_ bytes: [UInt8]) -> Bool { socket.send(bytes[...]) == bytes.count }

  /// Waits for bytes, and returns up to `count`; `nil` if the deadline passes, or the pipe becomes readable.
  package func receive(
    upTo count: Int, until deadline: ContinuousClock.Instant, or wake: WakePipe
  ) throws(SystemError) -> Received? {
    guard try Self.isReady(socket.number, .read, deadline, wake) else { return nil }
    return socket.receive(upTo: count)
  }

  private static func isReady(
    _ descriptor: Int32, _ interest: Poll.Interest, _ deadline: ContinuousClock.Instant,
    _ wake: WakePipe
  ) throws(SystemError) -> Bool {
    var entries = [Poll.Entry(wake.descriptor, .read), Poll.Entry(descriptor, interest)]
    let left = max(.zero, ContinuousClock.now.duration(to: deadline))
    return try Poll.wait(&entries, timeout: left) > 0 && entries[0].ready.isEmpty
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
