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
  let now: Timestamp

  private var pinnedKeys: [PinnedKey] {
    switch session.pins.requirement(
      for: preview.request.url.host, port: preview.request.url.port, at: now)
    {
    case .pinned(let set), .expired(let set): set.keys
    case .none: []
    }
  }

  /// Notes about differences between the curl command and this program.
  var differences: [String] {
    var lines: [String] = []
    if !pinnedKeys.isEmpty,
      !pinnedKeys.contains(where: { [PinRole.leaf, .backup].contains($0.role) })
    {
      lines.append("curl compares pins with the leaf certificate only; these pins are left out")
    }
    if usesInput, preview.tokenType != nil {
      lines.append("the token and the body both come on standard input; use --data @FILE")
    }
    return lines
  }

  /// The command line.
  var text: String {
    let words =
      ["curl"] + (preview.tokenType == nil ? [] : ["--config", "-"]) + connection
      + message + output
    let command = words.map(ShellWord.quoted).joined(separator: " ")
    return tokenCommand.map { "\($0) | \(command)" } ?? command
  }

  private var usesInput: Bool {
    ["-", "@-"].contains(arguments.data ?? "")
      || arguments.form.contains { $0.source != .text && $0.content == "-" }
  }

  private var tokenCommand: String? {
    guard let type = preview.tokenType else { return nil }
    var words = ["sdkctl", "-p", session.profile.name.description, "token", "--curl"]
    if access != .user { words.append("--\(access.rawValue)") }
    if type == "DPoP" {
      words += ["--proof-for", "\(preview.request.method) \(preview.request.url)"]
    }
    return words.map(ShellWord.quoted).joined(separator: " ")
  }

  private var connection: [String] {
    var words: [String] = []
    if preview.request.url.scheme == .https {
      words += ["--proto", "=https", "--tlsv1.2"]
      if let file = session.resources.caFile { words += ["--cacert", file] }
      if pinnedKeys.contains(where: { [PinRole.leaf, .backup].contains($0.role) }) {
        let pins = pinnedKeys.map { $0.pin.description.replacingPrefix("sha256/", by: "sha256//") }
        words += ["--pinnedpubkey", pins.joined(separator: ";")]
      }
    }
    if let time = arguments.connection.connectTimeout { words += ["--connect-timeout", time.text] }
    if let timeout { words += ["--max-time", timeout.text] }
    for rule in arguments.connection.resolve { words += ["--resolve", rule.description] }
    for rule in arguments.connection.connectTo { words += ["--connect-to", rule.description] }
    if arguments.http3 { words.append("--http3") }
    if arguments.retry > 0 { words += ["--retry", "\(arguments.retry)"] }
    return arguments.follows ? words + ["--location"] : words
  }

  private var message: [String] {
    let request = preview.request
    var words: [String] = []
    switch request.method {
    case .head: words.append("--head")
    case .get where arguments.data == nil: break
    case .post where arguments.data != nil || !arguments.form.isEmpty: break
    default: words += ["--request", request.method.name]
    }
    words += ["--user-agent", preview.userAgent]
    for field in request.fields {
      if !arguments.form.isEmpty, field.name.asciiLowercased == "content-type" { continue }
      // curl would leave out a field without a value.
      let value = preview.shownValue(of: field)
      words += ["--header", value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"]
    }
    for name in request.omittedFields { words += ["--header", "\(name):"] }
    if arguments.compressed { words.append("--compressed") }
    return words + body + [request.url.description]
  }

  private var body: [String] {
    guard arguments.form.isEmpty else {
      return arguments.parameters.flatMap { ["--form-string", "\($0.name)=\($0.value)"] }
        + arguments.form.flatMap { $0.curlWords }
    }
    // curl would say that any body is a form.
    let type = preview.request.fields.contains("Content-Type") ? [] : ["--header", "Content-Type:"]
    if let data = arguments.data {
      return ["--data-binary", data == "-" ? "@-" : data] + type
    }
    guard case .bytes(let bytes) = preview.request.body else { return [] }
    return ["--data-raw", String(decoding: bytes, as: UTF8.self)] + type
  }

  private var output: [String] {
    var words: [String] = []
    if arguments.fail { words.append("--fail-with-body") }
    if arguments.include { words.append("--include") }
    if let size = arguments.maximumSize { words += ["--max-filesize", "\(size.bytes)"] }
    if let file = arguments.output { words += ["--output", file] }
    if arguments.remoteName { words.append("--remote-name") }
    if let directory = arguments.outputDirectory { words += ["--output-dir", directory] }
    if arguments.createDirectories { words.append("--create-dirs") }
    if !arguments.clobber { words.append("--no-clobber") }
    if arguments.continues { words += ["--continue-at", "-"] }
    if let file = arguments.etagSave { words += ["--etag-save", file] }
    if let file = arguments.etagCompare { words += ["--etag-compare", file] }
    if let format = arguments.writeOut { words += ["--write-out", format.description] }
    return words
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, by other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}

extension Duration {
  /// Seconds with three digits after the point.
  fileprivate var text: String {
    let milliseconds = microseconds / 1000
    let fraction = "\(milliseconds % 1000)"
    let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
    return "\(milliseconds / 1000)" + (milliseconds % 1000 == 0 ? "" : ".\(zeros)\(fraction)")
  }
}
