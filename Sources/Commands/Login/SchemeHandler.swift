import POSIX

/// The desktop's association of a URL scheme with `sdkctl login respond`.
struct SchemeHandler {
  let path: String
  let scheme: String
  private let environment: Environment
  private let data: String
  private let config: String

  init(_ scheme: String, _ environment: Environment) throws {
    guard let home = environment.home, home.hasPrefix("/") else {
      throw Failure(.invalidConfiguration, "could not find the desktop's files: HOME is not set")
    }
    func place(_ variable: String, _ fallback: String) -> String {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + fallback
    }
    self.scheme = scheme
    self.environment = environment
    data = place("XDG_DATA_HOME", "/.local/share") + "/applications"
    config = place("XDG_CONFIG_HOME", "/.config")
    path = "\(data)/sdkctl-\(scheme).desktop"
  }

  func install() async throws {
    let entry = DesktopEntry(scheme: scheme, command: try command())
    do throws(SystemError) {
      try Directory.create(data, mode: 0o755)
      try AtomicFile.write(Array(entry.text.utf8), to: path, mode: 0o644)
      // xdg-mime writes into it, but some versions do not make it.
      try Directory.create(config, mode: 0o700)
    } catch {
      throw Failure(.localData, "could not write the desktop entry: \(error)")
    }
    await updateDatabase()
    let action = "could not make '\(path)' the default for \(scheme)"
    guard let tool = Spawn.find("xdg-mime", in: environment) else {
      throw Failure(
        .unavailable, "\(action): xdg-mime is not installed", hints: ["sudo apt install xdg-utils"])
    }
    let ran = try? await Spawn.run(
      tool, ["default", "sdkctl-\(scheme).desktop", type], environment: environment,
      timeout: .seconds(30))
    guard ran?.status.isSuccess == true else {
      throw Failure(.localData, "\(action): xdg-mime failed")
    }
  }

  func remove() async throws {
    do throws(SystemError) {
      if FileStatus.exists(path) { try AtomicFile.remove(path) }
      for list in ["\(config)/mimeapps.list", "\(data)/mimeapps.list"] { try forget(in: list) }
    } catch {
      throw Failure(.localData, "could not remove the desktop entry: \(error)")
    }
    await updateDatabase()
  }

  /// This program, and the store of this environment: a desktop has another environment.
  private func command() throws -> [String] {
    let own = try OwnProgram(environment, to: "write the desktop entry")
    let store = own.store.map { ["env", "SDKCTL_HOME=\($0)"] } ?? []
    return store + [own.path, "login", "respond", "--"]
  }

  /// Takes our line out of the user's associations; every other line stays as it is.
  private func forget(in list: String) throws(SystemError) {
    guard FileStatus.exists(list) else { return }
    let lines = try FileReader.read(list, limit: 1 << 20)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let entry = "\(type)=sdkctl-\(scheme).desktop"
    let kept = lines.filter { line in
      ![entry, entry + ";"].contains { line.elementsEqual($0.utf8) }
    }
    guard kept.count < lines.count else { return }
    // The user's file: it may be a link into a directory that is kept in git.
    try AtomicFile.write(
      Array(kept.joined(separator: "\n".utf8)), to: list, .named(newMode: 0o600))
  }

  /// Some desktops look schemes up in a cache of their own.
  private func updateDatabase() async {
    guard let tool = Spawn.find("update-desktop-database", in: environment) else { return }
    _ = try? await Spawn.run(
      tool, ["-q", data], environment: environment, timeout: .seconds(30))
  }

  private var type: String { "x-scheme-handler/\(scheme)" }
}

/// A desktop entry that hands addresses of a URL scheme to a command line.
///
/// The format is the Desktop Entry Specification of freedesktop.org.
struct DesktopEntry {
  let scheme: String
  /// The command line before the address.
  let command: [String]

  var text: String {
    """
    [Desktop Entry]
    Type=Application
    Name=sdkctl (\(scheme))
    Comment=Completes a login that waits in a terminal
    NoDisplay=true
    Terminal=false
    StartupNotify=false
    Exec=\(Self.escaped(command.map(Self.quoted).joined(separator: " "))) %u
    MimeType=x-scheme-handler/\(scheme);

    """
  }

  /// One argument of `Exec`: where it must be, in double quotes, with `"`, a backtick, `$` and
  /// `\` escaped; and `%`, which begins a field code, doubled.
  ///
  /// What need not be quoted is not, for xdg-open reads the line with simpler rules.
  private static func quoted(_ word: String) -> String {
    if !word.isEmpty, word.utf8.allSatisfy({ plain.contains($0) }) { return word }
    var result = "\""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "\"", "`", "$", "\\": result += "\\\(scalar)"
      case "%": result += "%%"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static let plain = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=+@,-".utf8)

  /// A value of the type string: escaped once more, whatever the quoting has done already.
  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      default: String(scalar)
      }
    }.joined()
  }
}
