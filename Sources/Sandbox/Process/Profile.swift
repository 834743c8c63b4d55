import POSIX
import Primitives

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
  func write(_ environment: Environment) async -> Outcome {
    let chosen = environment["SDKCTL_EXECUTABLE"] ?? ""
    guard let program = Spawn.find(chosen.isEmpty ? "sdkctl" : chosen, in: environment) else {
      return .noProgram(newCommands.map { ShellWord.line(["sdkctl"] + $0) })
    }
    do throws(SpawnError) {
      let shown = try await Spawn.run(program, ["profile", "show", "sandbox", "--json"])
      for command in shown.status.isSuccess ? changeCommands : newCommands {
        let done = try await Spawn.run(program, command)
        // There may be no pins to remove.
        guard done.status.isSuccess || command.starts(with: ["pin", "remove"]) else {
          return .refused(Self.plain(done.errors))
        }
      }
      return .written(isNew: !shown.status.isSuccess)
    } catch {
      return .refused("\(error)")
    }
  }

  private var newCommands: [[String]] {
    [
      [
        "profile", "add", "sandbox", "--issuer", issuer, "--resource-url", issuer + "/resources",
        "--ca-file", caFile, "--scope", Scope.join(Scope.standard),
      ],
      [
        "profile", "set", "-p", "sandbox", "anonymousScope=application-details",
        "passwordGrant=true",
      ],
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

  private static func plain(_ output: [UInt8]) -> String {
    let text = String(decoding: output, as: UTF8.self)
    return String(text.split(separator: "\n").first ?? "sdkctl failed").filter { $0 >= " " }
  }
}
