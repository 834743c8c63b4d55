import Foundation
import TestSupport

/// A server of this run on 127.0.0.1, which says on its standard output what it sees.
///
/// Lines: `port N`, then `accepted`, `handshake VERSION resumed=False`, `handshake failed`,
/// `request LINE` and `closed`, in the order of events.
final class LoopbackServer: Sendable {
  /// For tests that ask for no events.
  static let shared = Result { try LoopbackServer() }

  let port: Int
  /// The server ends when its standard input does, also when the tests die.
  private let process: ChildProcess
  private let lines: Lines

  /// Serves plain HTTP without a chain, and TLS 1.2 and 1.3 unless one version is named.
  init(
    chain: String? = "leaf-chain.pem", only version: String? = nil, asksForIdentity: Bool = false
  ) throws {
    let folder = try CertificateFolder.made()
    let key = chain.map { $0.replacing(".pem", with: ".key") }
    process = try ChildProcess(
      "python3",
      [
        script, chain.map(folder.file) ?? "", key.map(folder.file) ?? "", version ?? "TLSv1_2",
        version ?? "TLSv1_3", asksForIdentity ? folder.file("root.pem") : "",
      ])
    lines = Lines(process)
    let line = try lines.next()
    guard let port = Int(line.dropFirst("port ".count)) else { throw CocoaError(.executableLoad) }
    self.port = port
  }

  func stop() { process.kill() }

  /// The next event, awaited on a thread that no task needs.
  func nextLine() async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try self.lines.next() })
      }
    }
  }

  /// The events up to and with the end of so many connections.
  func events(untilClosed count: Int = 1) async throws -> [String] {
    var lines: [String] = []
    while lines.count(where: { $0 == "closed" }) < count { lines.append(try await nextLine()) }
    return lines
  }
}

/// What the server says, line by line.
private final class Lines: Sendable {
  private let process: ChildProcess
  private let pending = Mutex<[UInt8]>([])

  init(_ process: ChildProcess) { self.process = process }

  func next() throws -> String {
    try pending.withLock { pending in
      while true {
        if let end = pending.firstIndex(of: 0x0A) {
          let line = String(decoding: pending[..<end], as: UTF8.self)
          pending.removeSubrange(...end)
          return line
        }
        let more = process.read()
        guard !more.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
        pending += more
      }
    }
  }
}

private let script = Repository.path + "/Tests/Servers/loopback.py"
