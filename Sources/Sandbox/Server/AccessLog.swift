import POSIX

/// The log: one line a request, without query, body or credential.
struct AccessLog: Sendable {
  let file: LogFile

  func note(_ request: Request, _ status: HTTPStatus, since start: ContinuousClock.Instant) {
    let elapsed = (ContinuousClock.now - start).components
    let milliseconds = elapsed.seconds * 1000 + elapsed.attoseconds / 1_000_000_000_000_000
    note("\(request.method) \(printable(request.path)) \(status.code) \(milliseconds)ms")
  }

  func note(_ text: String) {
    // A log that cannot be written must not stop the server.
    try? file.write("\(ISOTime.text(Sandbox.now)) \(text)\n")
  }

  private func printable(_ path: String) -> String {
    String(
      decoding: path.utf8.prefix(200).map { $0 > 0x20 && $0 < 0x7f ? $0 : 0x3f }, as: UTF8.self)
  }
}
