import POSIX
import TestSupport
import Testing

@testable import Commands

@Suite("The clipboard")
struct ClipboardTests {
  /// A folder with programs that write what they get into the file of their name.
  private static func programs(_ scripts: [String: String]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, script) in scripts {
      try folder.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)", mode: 0o755)
    }
    return folder
  }

  private static func environment(
    _ folder: TemporaryFolder, _ more: [String: String]
  ) -> Environment {
    Environment(
      ["PATH": "\(folder.file("bin")):/usr/bin:/bin", "OUT": folder.path].merging(more) { $1 })
  }

  @Test("is set by the program of the desktop, which may stay, and gets nothing but the text")
  func set() async throws {
    for (variables, name, rest) in [
      (["WAYLAND_DISPLAY": "w"], "wl-copy", ""),
      (["DISPLAY": ":0"], "xclip", "-selection clipboard"),
      ([:], "pbcopy", ""),
    ] {
      let script = "{ cat; echo \"|$*|$SDKCTL_TOKEN\"; } > \"$OUT/set\"\nsleep 60 &"
      let folder = try Self.programs(["wl-copy": script, "xclip": script, "pbcopy": script])
      let environment = Self.environment(folder, variables.merging(["SDKCTL_TOKEN": "t"]) { $1 })
      #expect(await Clipboard(environment: environment).put("CODE"), "\(name)")
      #expect(try folder.text(of: "set") == "CODE|\(rest)|\n")
    }
  }

  @Test("is not set without a program, or if it fails; the next one is tried")
  func notSet() async throws {
    let failing = try Self.programs(["xclip": "exit 1"])
    let display = ["DISPLAY": ":0"]
    #expect(await !Clipboard(environment: Self.environment(failing, display)).put("CODE"))
    let second = try Self.programs(["xclip": "exit 1", "xsel": "cat > \"$OUT/set\""])
    #expect(await Clipboard(environment: Self.environment(second, display)).put("CODE"))
    #expect(try second.text(of: "set") == "CODE")
    let other = try Self.programs(["xclip": "exit 0", "wl-copy": "exit 0"])
    #expect(await !Clipboard(environment: Self.environment(other, [:])).put("CODE"))
  }
}
