import Glibc
import POSIX

/// One connection to a loopback listener, of a browser or of something worse.
package final class BrowserStub: Sendable {
  private let number: Int32

  package init?(port: UInt16, v6: Bool = false) {
    guard let number = LoopbackClient.connect(to: port, v6: v6) else { return nil }
    self.number = number
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(number, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(number) }

  /// Sends all of it, unless the other side has gone.
  package func send(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Glibc.send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent <= 0 { return }
      rest = rest.dropFirst(sent)
    }
  }

  /// Whether the other side has neither sent anything nor closed.
  package var isOpen: Bool {
    var byte: UInt8 = 0
    return recv(number, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK)) < 0
      && errno == EAGAIN
  }

  /// Everything until the other side closes; nil if it never does.
  ///
  /// On a thread of its own: the test's tasks need those of the pool.
  package func answer() async -> String? {
    (try? await BackgroundThread.run { self.read() }) ?? nil
  }

  private func read() -> String? {
    var bytes: [UInt8] = []
    while true {
      var part = [UInt8](repeating: 0, count: 4096)
      let count = recv(number, &part, part.count, 0)
      if count < 0, errno == EAGAIN { return nil }
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += part.prefix(count)
    }
  }

  /// One whole request and its answer.
  package static func ask(_ port: UInt16, _ request: String, v6: Bool = false) async -> Answer? {
    guard let browser = BrowserStub(port: port, v6: v6) else { return nil }
    browser.send(request)
    return await browser.answer().flatMap(Answer.init)
  }

  package static func get(
    _ port: UInt16, _ target: String, host: String = "127.0.0.1"
  ) async -> Answer? {
    await ask(port, "GET \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nAccept: */*\r\n\r\n")
  }
}

/// Status, fields and body of an HTTP answer.
package struct Answer {
  package let status: Int
  package let fields: [String: String]
  package let body: String

  package init?(_ text: String) {
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines.first?.split(separator: " ") ?? []
    guard
      words.count >= 3, words[0] == "HTTP/1.1", let status = Int(words[1]),
      let end = lines.firstIndex(of: "")
    else { return nil }
    self.status = status
    var fields: [String: String] = [:]
    for line in lines[1..<end] {
      let parts = line.split(separator: ":", maxSplits: 1)
      fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    self.fields = fields
    body = lines[(end + 1)...].joined(separator: "\r\n")
  }
}
