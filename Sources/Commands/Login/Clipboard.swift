import POSIX
import SDKCore

/// The clipboard of the desktop, which a program of it sets.
struct Clipboard {
  let environment: Environment

  /// Puts a text into the clipboard; returns whether a program did so.
  func put(_ text: String) async -> Bool {
    for words in candidates {
      guard let program = words.first.flatMap({ Spawn.find($0, in: environment) }) else { continue }
      // Some stay to serve the text, and would keep the pipe of their output open.
      let quiet = ["-c", "exec \"$0\" \"$@\" >/dev/null 2>&1", program] + words.dropFirst()
      let run = try? await Spawn.run(
        "/bin/sh", quiet, environment: environment.forHelpers, input: Array(text.utf8), limit: 1,
        timeout: .seconds(5))
      if run?.status.isSuccess == true { return true }
    }
    return false
  }

  /// The programs that can reach the person's clipboard from here.
  private var candidates: [[String]] {
    let isSet = { (name: String) in !(environment[name] ?? "").isEmpty }
    return (isSet("WAYLAND_DISPLAY") ? [["wl-copy"]] : [])
      + (isSet("DISPLAY")
        ? [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]] : [])
      + [["pbcopy"]]
  }

  /// Their names, for people.
  static let programs = "wl-copy, xclip, xsel or pbcopy"
}
