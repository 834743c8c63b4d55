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
    let master = try checked("open") { open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC) }
    // TIOCSPTLCK and TIOCGPTN, which the overlay does not show.
    var lock: Int32 = 0
    try checked("ioctl") { ioctl(master, 0x4004_5431, &lock) }
    var index: UInt32 = 0
    try checked("ioctl") { ioctl(master, 0x8004_5430, &index) }
    let path = "/dev/pts/\(index)"
    (self.master, self.path) = (master, path)
    device = try checked("open") { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }
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
  func wait(for text: String) throws(SystemError) -> String {
    var shown: [UInt8] = []
    // By bytes: "\r\n" is one character.
    while !shown.indices.contains(where: { shown[$0...].starts(with: text.utf8) }) {
      var entries = [Poll.Entry(master, .read)]
      let ready = try Poll.wait(&entries, timeout: .seconds(600))
      if ready == 0 { throw SystemError("wait", code: ETIMEDOUT) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = try checked("read") { read(master, &bytes, 1024) }
      shown += bytes.prefix(count)
    }
    return String(decoding: shown, as: UTF8.self)
  }

  func type(_ text: String) throws(SystemError) { try writeAll(Array(text.utf8), to: master) }

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
