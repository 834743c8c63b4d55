import Foundation
import Synchronization

/// A server of this run on 127.0.0.1, which says on its standard output what it sees.
///
/// Lines: `port N`, then `accepted`, `handshake VERSION resumed=False`, `handshake failed`,
/// `request LINE` and `closed`, in the order of events.
// Sendable: the reading end is used under the mutex only.
final class LoopbackServer: @unchecked Sendable {
  struct Settings {
    var chain: String? = "leaf-chain.pem"
    var minimum = "TLSv1_2"
    var maximum = "TLSv1_3"
    var asksForIdentity = false
  }

  /// For tests that ask for no events.
  static let shared = Result { try LoopbackServer() }

  private(set) var port = 0
  private let process = Process()
  private let output: FileHandle
  /// The server ends when this closes, also when the tests die.
  private let life: Pipe
  private let pending = Mutex(Data())

  init(_ settings: Settings = Settings()) throws {
    let folder = try CertificateFolder.made()
    let pipe = Pipe()
    let life = Pipe()
    self.life = life
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let key = settings.chain.map { $0.replacing(".pem", with: ".key") }
    process.arguments = [
      "python3", script, settings.chain.map(folder.file) ?? "", key.map(folder.file) ?? "",
      settings.minimum, settings.maximum, settings.asksForIdentity ? folder.file("root.pem") : "",
    ]
    process.standardInput = life
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    output = pipe.fileHandleForReading
    let line = try readLine()
    guard let port = Int(line.dropFirst("port ".count)) else { throw CocoaError(.executableLoad) }
    self.port = port
  }

  deinit { stop() }

  func stop() {
    guard process.isRunning else { return }
    // Children of a worker thread come to life with most signals blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The next event, awaited on a thread that no task needs.
  func nextLine() async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try self.readLine() })
      }
    }
  }

  private func readLine() throws -> String {
    try pending.withLock { pending in
      while true {
        if let end = pending.firstIndex(of: 0x0A) {
          let line = String(decoding: pending[..<end], as: UTF8.self)
          pending.removeSubrange(...end)
          return line
        }
        let more = output.availableData
        guard !more.isEmpty else { throw CocoaError(.fileReadCorruptFile) }
        pending.append(more)
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

/// `Tests/Servers/loopback.py`.
private let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().appendingPathComponent("Servers/loopback.py").path
