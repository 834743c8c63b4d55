import Glibc

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
  init(_ asked: String?) throws(Failure) {
    let chosen = asked ?? Self.standard
    guard let chosen, !chosen.isEmpty else {
      throw Failure(
        "could not find a place for the sandbox: HOME is not set",
        hint: "sdkctl-sandbox start --dir DIR", exit: .store)
    }
    path = chosen.hasPrefix("/") ? chosen : "\(Self.workingDirectory)/\(chosen)"
  }

  func file(_ file: File) -> String { "\(path)/\(file.rawValue)" }

  /// Makes the directory and those above it, and refuses one that others may enter.
  func create() throws(Failure) {
    var partial = ""
    for name in path.split(separator: "/") {
      partial += "/\(name)"
      if mkdir(partial, 0o700) != 0, errno != EEXIST {
        throw Failure("could not make the directory '\(partial)': \(systemText())", exit: .store)
      }
    }
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
      throw Failure("could not use '\(path)': it is no directory", exit: .store)
    }
    guard facts.st_uid == geteuid(), facts.st_mode & 0o077 == 0 else {
      throw Failure(
        "could not use '\(path)': others may enter it", hint: "chmod 700 '\(path)'", exit: .store)
    }
  }

  func read(_ file: File) -> String? {
    let descriptor = open(self.file(file), O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return String(decoding: Descriptor.readAll(descriptor, most: 64 << 20), as: UTF8.self)
  }

  /// Replaces a file in one step.
  func write(_ text: String, to file: File) throws(Failure) {
    try Self.write(text, to: self.file(file))
  }

  /// Replaces any file in one step by one that only its owner may read.
  static func write(_ text: String, to target: String) throws(Failure) {
    let temporary = "\(target).new"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure("could not write '\(target)': \(systemText())", exit: .store)
    }
    let isWritten = Descriptor.writeAll(Array(text.utf8), to: descriptor)
    guard close(descriptor) == 0, isWritten, rename(temporary, target) == 0 else {
      throw Failure("could not write '\(target)': \(systemText())", exit: .store)
    }
  }

  func remove(_ files: File...) { for one in files { unlink(file(one)) } }

  private static var standard: String? {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let home = value("SDKCTL_HOME") { return "\(home)/state/sandbox" }
    if let state = value("XDG_STATE_HOME") { return "\(state)/sdkctl/sandbox" }
    return value("HOME").map { "\($0)/.local/state/sdkctl/sandbox" }
  }

  private static var workingDirectory: String {
    guard let name = getcwd(nil, 0) else { return "." }
    defer { free(name) }
    return String(cString: name)
  }
}
