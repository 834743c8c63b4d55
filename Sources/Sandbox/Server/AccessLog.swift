import POSIX

/// The log: one line a request, without query, body or credential.
struct AccessLog: Sendable {
  /// The file that lines go to; nothing keeps no log.
  let path: String?

  func note(_ request: Request, _ status: HTTPStatus, since start: ContinuousClock.Instant) {
    let elapsed = (ContinuousClock.now - start).components
    let milliseconds = elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000
    note("\(request.method) \(printable(request.path)) \(status.code) \(milliseconds)ms")
  }

  func note(_ text: String) {
    guard let path else { return }
    let line = Array("\(ISOTime.text(Sandbox.now)) \(text)\n".utf8)
    // A log that cannot be written must not stop the server.
    try? AppendedFile.append(line, to: path)
  }

  private func printable(_ path: String) -> String {
    String(
      decoding: path.utf8.prefix(200).map { $0 > 0x20 && $0 < 0x7f ? $0 : 0x3f }, as: UTF8.self)
  }
}
