import OpenSSL
import POSIX
import Primitives
import SDKCore

/// The socket of a proxy, and what its clients need to know.
final class ProxyListener: Sendable {
  private enum Socket: Sendable {
    case loopback(LoopbackSocketBox)
    case local(LocalSocket)
  }

  private let socket: Socket
  let secret: String?

  init(_ place: ProxyOptions.Listener) throws(SDKError) {
    do {
      switch place {
      case .port(let port):
        secret = Hex.encode(try Random.bytes(24))
        socket = .loopback(LoopbackSocketBox(try LoopbackSocket.listen(.v4, port: port)))
      case .socket(let path):
        secret = nil
        socket = .local(try Self.local(path))
      }
    } catch {
      throw SDKError(error, "could not listen", as: .localData)
    }
  }

  private static func local(_ path: String) throws -> LocalSocket {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true)
    let name = parts.last.map(String.init) ?? ""
    guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 80 else {
      throw SDKError(
        .invalidRequest, cause: "the name of a socket has 1 to 80 bytes and no dot at its beginning"
      )
    }
    let folder = String(path.dropLast(name.count))
    if let status = try? FileStatus.of(path, followLinks: false) {
      guard status.kind == .socket else {
        throw SDKError(.localData, cause: "\(path) exists and is no socket")
      }
      // The name of a socket whose process has ended is removed.
      if try LocalSocket.connect(to: name, in: folder.isEmpty ? "." : folder) != nil {
        throw SDKError(.localData, cause: "another program listens on \(path)")
      }
    }
    return try LocalSocket(name, in: folder.isEmpty ? "." : folder)
  }

  var descriptor: Int32 {
    switch socket {
    case .loopback(let box): box.socket.descriptor
    case .local(let socket): socket.descriptor
    }
  }

  /// The values of `Host` that name it.
  var hosts: Set<String> {
    switch socket {
    case .loopback(let box): ["127.0.0.1:\(box.socket.port)", "localhost:\(box.socket.port)"]
    case .local: ["localhost"]
    }
  }

  /// Whether a client is a program of this user, for sure.
  func isOwn(_ client: SocketEnd?) -> Bool {
    // The other kind of socket has a file that only this user reaches.
    guard case .loopback(let box) = socket else { return true }
    guard let client, let own = SocketEnd(.local, of: box.socket.descriptor) else { return false }
    return ConnectionOwner.isThisUser(client, connectedTo: own)
  }

  var url: String {
    switch socket {
    case .loopback(let box): "http://127.0.0.1:\(box.socket.port)/\(secret ?? "")"
    case .local: "http://localhost"
    }
  }

  /// Makes no new connection possible.
  func close() {
    if case .local(let socket) = socket { socket.remove() }
  }
}

/// Owns a socket, which is no value that can be copied.
private final class LoopbackSocketBox: Sendable {
  let socket: LoopbackSocket
  init(_ socket: consuming LoopbackSocket) { self.socket = socket }
}
