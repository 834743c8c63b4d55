import HTTP
import Pinning
import Primitives
import SDKCore

/// The command line of curl that does what a fetch does, for a POSIX shell.
///
/// The token is not part of it: `sdkctl token --curl` prints it into a pipe, so that it is in no
/// argument of curl.
struct CurlCommand {
  let arguments: Fetch.Arguments
  let preview: RequestPreview
  let access: Access
  let session: ProfileSession
  let timeout: Duration?
  /// The identity that a server gets if it asks for a client certificate.
  private let identity: IdentityName?
  /// Files of `-H @FILE` with secret fields, by the names of all their fields in lower case.
  let headerFiles: [(path: String, names: Set<String>)]

  init(
    _ arguments: Fetch.Arguments, _ preview: RequestPreview, _ access: Access,
    _ session: ProfileSession, _ context: Context
  ) async throws {
    self.arguments = arguments
    self.preview = preview
    self.access = access
    self.session = session
    timeout = context.globals.timeLimit
    identity =
      switch arguments.identity {
      case .named(let name): name
      case .none: nil
      case .automatic:
        try await session.identities.store().sealedIdentity(for: preview.request.url.host)?.name
      }
    let secrets = Set(preview.secretFields.map(\.name.asciiLowercased))
    headerFiles = arguments.headers.compactMap { header in
      guard case .file(let path, let lines) = header, path != "-" else { return nil }
      let fields = HeaderLines(lines)
      let names = Set((fields.sent.map(\.name) + fields.omitted).map(\.asciiLowercased))
      return names.isDisjoint(with: secrets) ? nil : (path, names)
    }
  }

  var pinnedKeys: [PinnedKey] {
    let url = preview.request.url
    return session.pins.set(for: url.host, port: url.port)?.keys ?? []
  }

  /// Notes about differences between the curl command and this program.
  var differences: [String] {
    var lines: [String] = []
    if !pinnedKeys.isEmpty,
      !pinnedKeys.contains(where: { [PinRole.leaf, .backup].contains($0.role) })
    {
      lines.append("curl compares pins with the leaf certificate only; these pins are left out")
    }
    if session.profile.extraCAFile != nil {
      lines.append("curl does not trust the authorities of extraCAFile besides the others")
    }
    if usesInput, !configurations.isEmpty {
      lines.append("the token and the body both come on standard input; use --data @FILE")
    }
    for field in preview.secretFields where !isInFile(field.name) {
      lines.append(
        "the value of '\(field.name)' is not shown; put the field into a file: -H @FILE")
    }
    if ![.get, .head, .post].contains(preview.request.method) {
      lines.append(
        "curl does not change \(preview.request.method) to GET after a redirect with 303")
    }
    if arguments.retry > 0, !preview.request.method.isIdempotent {
      lines.append("--retry is left out: curl would repeat \(preview.request.method) too")
    }
    for name in preview.secretParameters {
      lines.append("the command contains the value of '\(name)'")
    }
    return lines
  }

  var text: String {
    let words =
      ["curl"] + (configurations.isEmpty ? [] : ["--config", "-"]) + connection + message + output
    let command = ShellWord.line(words)
    switch configurations.count {
    case 0: return command
    case 1: return "\(configurations[0]) | \(command)"
    default: return "{ \(configurations.joined(separator: "; ")); } | \(command)"
    }
  }

  private var usesInput: Bool {
    ["-", "@-"].contains(arguments.data ?? "")
      || arguments.form.contains { $0.source != .text && $0.content == "-" }
  }

  /// The commands whose output configures curl: secrets are in no argument.
  private var configurations: [String] {
    let program = ["sdkctl", "-p", session.profile.name.description]
    var commands: [[String]] = []
    if let type = preview.tokenType {
      var words = program + ["token", "--curl"]
      if access != .user { words.append("--\(access.rawValue)") }
      if type == "DPoP" {
        words += ["--proof-for", "\(preview.request.method) \(preview.request.url)"]
      }
      commands.append(words)
    }
    if let identity, preview.request.url.scheme == .https {
      commands.append(program + ["identity", "export", identity.description, "--curl"])
    }
    return commands.map(ShellWord.line)
  }

  /// Whether curl reads the field of this name from the file that it came from.
  func isInFile(_ name: String) -> Bool {
    headerFiles.contains { $0.names.contains(name.asciiLowercased) }
  }
}
