import Glibc

/// The profile `sandbox` in the user's store, written by sdkctl itself.
struct Profile {
  let issuer: String
  let caFile: String
  let pins: [String]
  /// The key that requests must be encrypted to; nothing if they need not be.
  let payloadKey: String?

  enum Outcome {
    case written(isNew: Bool)
    /// sdkctl is not there: these are the commands to type.
    case noProgram([String])
    case refused(String)
  }

  /// Makes or changes the profile and sets its pins; no other profile is touched.
  func write() -> Outcome {
    let chosen = getenv("SDKCTL_EXECUTABLE").map { String(cString: $0) } ?? ""
    let program = chosen.isEmpty ? "sdkctl" : chosen
    guard let shown = Finished(program, ["profile", "show", "sandbox", "--json"]) else {
      return .noProgram(newCommands.map { "sdkctl \($0.map(Self.quoted).joined(separator: " "))" })
    }
    let commands = shown.exitCode == 0 ? changeCommands : newCommands
    for command in commands {
      guard let done = Finished(program, command) else { return .refused("sdkctl is gone") }
      // There may be no pins to remove.
      guard done.exitCode == 0 || command.starts(with: ["pin", "remove"]) else {
        return .refused(Self.plain(done.output))
      }
    }
    return .written(isNew: shown.exitCode != 0)
  }

  private var newCommands: [[String]] {
    [
      [
        "profile", "add", "sandbox", "--issuer", issuer, "--resource-url", issuer + "/resources",
        "--ca-file", caFile, "--scope", Scope.join(Scope.standard),
      ], ["profile", "set", "-p", "sandbox", "anonymousScope=application-details"],
    ] + encryptionCommands + pinCommands
  }

  private var changeCommands: [[String]] {
    [
      [
        "profile", "set", "-p", "sandbox", "issuer=\(issuer)", "resourceURL=\(issuer)/resources",
        "caFile=\(caFile)",
      ], ["pin", "remove", "-p", "sandbox", "localhost", "--yes"],
      ["profile", "unset", "-p", "sandbox", "payloadEncryption", "serverPublicKey"],
    ] + encryptionCommands + pinCommands
  }

  /// The key is a new one in each run.
  private var encryptionCommands: [[String]] {
    guard let payloadKey else { return [] }
    return [
      [
        "profile", "set", "-p", "sandbox", "payloadEncryption=true",
        "serverPublicKey=\(payloadKey)",
      ]
    ]
  }

  /// One command a pin: hashes given together all count as the same kind of key.
  private var pinCommands: [[String]] {
    zip(["leaf", "intermediate"], pins).map { role, pin in
      ["pin", "add", "-p", "sandbox", "--host", "localhost", "--role", role, "--yes", pin]
    }
  }

  /// A word as it is typed in a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      "+,-./:=@_".utf8.contains(byte) || (0x30...0x39).contains(byte)
        || (0x61...0x7A).contains(byte | 0x20)
    }
    if isPlain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''") + "'"
  }

  private static func plain(_ output: String) -> String {
    String(output.split(separator: "\n").first ?? "sdkctl failed").filter { $0 >= " " }
  }
}
