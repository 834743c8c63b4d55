import JSON
import POSIX

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
    let request =
      "\(method) \(path) HTTP/1.1\r\nHost: sandbox\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    guard let answer = try? answer(to: Array(request.utf8)) else { throw unreachable }
    // The head has no brace, and every answer is a JSON document.
    let head = answer.prefix { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") }
    guard let json = try? JSON(parsing: Array(answer.dropFirst(head.count))) else {
      throw unreachable
    }
    guard head.starts(with: Array("HTTP/1.1 200".utf8)) else {
      throw Failure("the sandbox refused: \(json["error"]?.string ?? "unknown reason")")
    }
    return json
  }

  /// All that is sent back; `nil` without a connection, or after 15 seconds.
  private func answer(to request: [UInt8]) throws(SystemError) -> [UInt8]? {
    let name = StateDirectory.File.control.rawValue
    guard let connection = try LocalSocket.connect(to: name, in: directory.path) else { return nil }
    try connection.write(request)
    return connection.receiveAll(limit: 16 << 20, within: .seconds(15))
  }

  private var unreachable: Failure {
    Failure(
      "could not reach the sandbox: no answer on its control socket", hint: "sdkctl-sandbox stop",
      exit: .network)
  }
}
