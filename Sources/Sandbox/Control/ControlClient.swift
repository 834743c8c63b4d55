import Glibc

/// The asking side of the control socket.
struct ControlClient {
  let directory: StateDirectory

  /// Sends one order and returns the answer.
  func ask(_ method: String, _ path: String) throws(Failure) -> JSON {
    guard InstanceLock.isHeld(directory) else {
      throw Failure(
        "could not reach the sandbox: it is not running",
        hint: "sdkctl-sandbox start --background", exit: .network)
    }
    let descriptor = try connected()
    defer { close(descriptor) }
    let request =
      "\(method) \(path) HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    guard Descriptor.writeAll(Array(request.utf8), to: descriptor) else { throw unreachable }
    let answer = Descriptor.readAll(descriptor, most: 16 << 20)
    // The head has no brace, and every answer is a JSON document.
    let head = answer.prefix { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") }
    guard let json = JSON(parsing: answer.dropFirst(head.count)) else { throw unreachable }
    guard head.starts(with: Array("HTTP/1.1 200".utf8)) else {
      throw Failure("the sandbox refused: \(json["error"]?.string ?? "unknown reason")")
    }
    return json
  }

  /// Connects through the working directory: the path of a socket has at most 107 bytes.
  private func connected() throws(Failure) -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0, chdir(directory.path) == 0 else { throw unreachable }
    var limit = timeval(tv_sec: 15, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: StateDirectory.File.control.rawValue.utf8)
    }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw unreachable
    }
    return descriptor
  }

  private var unreachable: Failure {
    Failure(
      "could not reach the sandbox: no answer on its control socket", hint: "sdkctl-sandbox stop",
      exit: .network)
  }
}
