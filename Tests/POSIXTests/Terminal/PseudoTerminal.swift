import Glibc

@testable import POSIX

/// A terminal whose person is the test.
final class PseudoTerminal: Sendable {
  /// The device that the program under test opens.
  let path: String
  private let master: Int32
  // Kept open, so that its settings outlive the program.
  private let device: Int32

  init() throws(SystemError) {
    master = try checked("posix_openpt") { posix_openpt(O_RDWR | O_NOCTTY) }
    try checked("grantpt") { grantpt(master) }
    try checked("unlockpt") { unlockpt(master) }
    path = String(cString: ptsname(master))
    device = try checked("open") { [path] in open(path, O_RDWR | O_NOCTTY) }
    var size = winsize(ws_row: 24, ws_col: 93, ws_xpixel: 0, ws_ypixel: 0)
    try checked("ioctl") { ioctl(device, UInt(TIOCSWINSZ), &size) }
  }

  deinit {
    close(master)
    close(device)
  }

  var number: Int32 { device }

  /// Waits until the terminal has shown the text, and answers all it showed.
  @discardableResult
  func wait(for text: String) async throws -> String {
    try await BackgroundThread.run { [self] () throws(SystemError) in
      var shown = ""
      while !shown.contains(text) {
        var entries = [Poll.Entry(master, .read)]
        if try Poll.wait(&entries, timeout: .seconds(60)) == 0 { throw SystemError("wait", code: ETIMEDOUT) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = try checked("read") { read(master, &bytes, 1024) }
        shown += String(decoding: bytes.prefix(count), as: UTF8.self)
      }
      return shown
    }
  }

  func type(_ text: String) throws { try writeAll(Array(text.utf8), to: master) }

  var echoes: Bool {
    var settings = termios()
    tcgetattr(device, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Makes a device the controlling terminal of this process; for a process of its own.
  static func control(_ path: String) {
    setsid()
    _ = open(path, O_RDWR)
  }
}
