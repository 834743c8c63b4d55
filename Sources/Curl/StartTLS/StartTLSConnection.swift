import HTTP
import POSIX
import Pinning
import Primitives

extension CurlTransport {
  /// Connects to a server, without a proxy, and asks it to begin TLS.
  ///
  /// - Returns: the connection, on which nothing has been received since the server agreed.
  /// - Throws: ``TransportError``: `connection` if there is no connection, `timeout` if it takes longer
  ///   than the configuration allows, `tls` if the server does not begin TLS.
  func connection(
    to url: HTTPURL, beginning startTLS: StartTLS, at address: IPAddress?
  ) async throws(TransportError) -> ConnectedSocket {
    let limit = timeLeft
    let deadline = ContinuousClock.now + limit
    let (addresses, port) =
      if let address { ([address], configuration.target(of: url.host, url.port).port) } else {
        try await addresses(of: url.host, url.port)
      }
    let broken = { (error: SystemError) in
      TransportError(.unavailable, "could not wait: \(error.message)", host: url.host)
    }
    let socket = try await BackgroundThread.run(wrapping: broken) {
      (wake) throws(TransportError) -> ConnectedSocket? in
      let server = StartTLSServer(url: url, deadline: deadline, wake: wake)
      guard let socket = try server.connect(addresses, port) else { return nil }
      return try server.agree(on: startTLS, over: socket) ? socket : nil
    }
    if let socket { return socket }
    if Task.isCancelled { throw .cancelled }
    throw TransportError(
      .timeout, "\(url.place) did not begin TLS within \(limit)", host: url.host)
  }
}

/// A server that is asked to begin TLS, until the deadline; its functions block.
private struct StartTLSServer {
  let url: HTTPURL
  let deadline: ContinuousClock.Instant
  let wake: WakePipe

  /// Tries the addresses in turn; `nil` if the time is over.
  func connect(
    _ addresses: [IPAddress], _ port: UInt16
  ) throws(TransportError) -> ConnectedSocket? {
    var failure: SystemError?
    for (index, address) in addresses.enumerated() {
      // An address that does not respond leaves time for the others.
      let left = ContinuousClock.now.duration(to: deadline) / (addresses.count - index)
      do throws(SystemError) {
        let end = ContinuousClock.now + max(.zero, left)
        if let socket = try ConnectedSocket.connect(to: address, port, until: end, or: wake) {
          return socket
        }
      } catch {
        failure = error
      }
    }
    guard let failure else { return nil }
    throw TransportError(
      .connection, "\(url.place) could not be reached: \(failure.message)", host: url.host)
  }

  /// Goes through the dialogue; `false` if the time is over.
  func agree(
    on startTLS: StartTLS, over socket: ConnectedSocket
  ) throws(TransportError) -> Bool {
    var dialogue = StartTLSDialogue(
      startTLS, host: url.host, client: SocketEnd(.local, of: socket.descriptor)?.address)
    while true {
      switch dialogue.next() {
      case .send(let bytes):
        guard socket.send(bytes) else { throw closed }
      case .receive(let count):
        let received: Received?
        do throws(SystemError) {
          received = try socket.receive(upTo: count, until: deadline, or: wake)
        } catch {
          throw TransportError(
            .connection, "the connection to \(url.place) broke: \(error.message)", host: url.host)
        }
        switch received {
        case .bytes(let bytes): dialogue.receive(bytes)
        case .nothingYet: continue
        case .end: throw closed
        case nil: return false
        }
      case .begin: return true
      case .refuse(let cause):
        throw TransportError(.connection, "\(url.place) \(cause)", host: url.host)
      }
    }
  }

  private var closed: TransportError {
    TransportError(
      .connection, "\(url.place) closed the connection before TLS", host: url.host)
  }
}
