import POSIX
import Primitives

/// The directory in which a sandbox keeps its files; readable by its owner only.
struct StateDirectory: Sendable {
  let path: String

  enum File: String {
    case authority = "ca.pem"
    case chain = "chain.pem"
    case key = "server-key.pem"
    case authorityKey = "intermediate-key.pem"
    case processID = "pid"
    case port
    case log
    case lock
    case control = "control.sock"
  }

  /// The directory that was asked for, or the one of this user.
  init(_ asked: String?, _ environment: Environment) throws(Failure) {
    guard let chosen = asked ?? Self.standard(environment), !chosen.isEmpty else {
      let cause = asked == nil ? "HOME is not set" : "the name of the directory is empty"
      throw Failure(
        "could not find a place for the sandbox: \(cause)",
        hint: "sdkctl-sandbox start --dir DIR", exit: .store)
    }
    do throws(SystemError) { path = try Paths.absolute(chosen) } catch {
      throw Failure("use '\(chosen)'", error)
    }
  }

  func file(_ file: File) -> String { "\(path)/\(file.rawValue)" }

  /// Makes the directory and those above it, and refuses one that others may enter.
  func create() throws(Failure) {
    let status: FileStatus
    do throws(SystemError) {
      try Directory.create(path)
      status = try FileStatus.of(path)
    } catch {
      throw Failure("make the directory '\(path)'", error)
    }
    guard status.isOwnedByUser, status.isPrivate else {
      throw Failure(
        "could not use '\(path)': others may enter it",
        hint: "chmod 700 \(ShellWord.quoted(path))", exit: .store)
    }
  }

  func read(_ file: File) -> String? {
    (try? FileReader.read(self.file(file), limit: 64 << 20))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The content of a file that a person named.
  static func read(_ file: String) throws(Failure) -> [UInt8] {
    do throws(SystemError) { return try FileReader.read(file, limit: 1 << 20) } catch {
      throw Failure("read '\(file)'", error)
    }
  }

  /// Replaces a file in one step.
  func write(_ text: String, to file: File) throws(Failure) {
    try Self.write(text, to: self.file(file))
  }

  /// Replaces any file in one step by one that only its owner may read.
  static func write(_ text: String, to target: String) throws(Failure) {
    do throws(SystemError) { try AtomicFile.write(Array(text.utf8), to: target) } catch {
      throw Failure("write '\(target)'", error)
    }
  }

  func remove(_ files: File...) { for one in files { try? AtomicFile.remove(file(one)) } }

  private static func standard(_ environment: Environment) -> String? {
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    if let home = value("SDKCTL_HOME") { return "\(home)/state/sandbox" }
    if let state = value("XDG_STATE_HOME") { return "\(state)/sdkctl/sandbox" }
    return environment.home.map { "\($0)/.local/state/sdkctl/sandbox" }
  }
}
