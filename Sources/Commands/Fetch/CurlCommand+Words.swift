import HTTP
import Pinning
import Primitives
import SDKCore

extension CurlCommand {
  var connection: [String] {
    var words: [String] = []
    if preview.request.url.scheme == .https {
      words += ["--proto", "=https", "--tlsv1.2"]
      if let file = session.resources.caFile { words += ["--cacert", file] }
      switch session.profile.proxy {
      case nil: break
      case .direct?: words += ["--noproxy", "*"]
      case .url(let url)?:
        // Without exceptions too: otherwise curl takes those of the environment.
        let exceptions = session.profile.proxyExceptions.joined(separator: ",")
        words += ["--proxy", url, "--noproxy", exceptions]
      }
      if pinnedKeys.contains(where: { [PinRole.leaf, .backup].contains($0.role) }) {
        let pins = pinnedKeys.map { $0.pin.description.replacingPrefix("sha256/", by: "sha256//") }
        words += ["--pinnedpubkey", pins.joined(separator: ";")]
      }
    }
    if let time = arguments.connection.connectTimeout { words += ["--connect-timeout", time.text] }
    if let timeout { words += ["--max-time", timeout.text] }
    for rule in arguments.connection.resolve { words += ["--resolve", rule.description] }
    for rule in arguments.connection.connectTo { words += ["--connect-to", rule.description] }
    // curl repeats any request.
    if arguments.retry > 0, preview.request.method.isIdempotent {
      words += ["--retry", "\(arguments.retry)"]
    }
    return arguments.follows ? words + ["--location"] : words
  }

  var message: [String] {
    let request = preview.request
    let body = body
    var words: [String] = []
    switch request.method {
    case .head: words.append("--head")
    case .get where body.isEmpty: break
    case .post: break
    default:
      words += ["--request", request.method.name]
      // Else curl would leave out the body after a redirect.
      if !body.isEmpty { words += ["--post301", "--post302"] }
    }
    words += ["--user-agent", preview.userAgent]
    for field in request.fields where !isLeftToCurl(field) {
      // curl would leave out a field without a value.
      let value = preview.shownValue(of: field)
      words += ["--header", value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"]
    }
    for name in request.omittedFields where !isInFile(name) {
      words += ["--header", "\(name):"]
    }
    words += headerFiles.flatMap { ["--header", "@\($0.path)"] }
    if arguments.compressed { words.append("--compressed") }
    // Brackets and braces would make several requests of one.
    if request.url.target.utf8.contains(where: { "[]{}".utf8.contains($0) }) {
      words.append("--globoff")
    }
    return words + body + [request.url.description]
  }

  private func isLeftToCurl(_ field: HTTPField) -> Bool {
    switch field.name.asciiLowercased {
    case "content-type": !arguments.form.isEmpty || isInFile(field.name)
    case "if-none-match": arguments.etagCompare != nil || isInFile(field.name)
    default: isInFile(field.name)
    }
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
    guard case .bytes(let bytes) = preview.request.body else {
      // As fetch does, curl then says that the body is empty.
      return preview.request.method.expectsBody ? ["--data-raw", ""] + type : []
    }
    return ["--data-raw", String(decoding: bytes, as: UTF8.self)] + type
  }

  var output: [String] {
    var words: [String] = []
    if preview.request.method == .head, !arguments.head, !arguments.include,
      arguments.output == nil, !arguments.remoteName
    {
      // curl would write the header fields.
      words += ["--output", "/dev/null"]
    }
    if arguments.fail { words.append("--fail-with-body") }
    if arguments.include { words.append("--include") }
    if let size = arguments.maximumSize { words += ["--max-filesize", "\(size.bytes)"] }
    if let file = arguments.output { words += ["--output", file] }
    if arguments.remoteName { words.append("--remote-name") }
    if let directory = arguments.outputDirectory { words += ["--output-dir", directory] }
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
  /// Seconds, with three digits after the point if they are not whole.
  fileprivate var text: String {
    let text = seconds(digits: 3)
    return text.hasSuffix(".000") ? String(text.dropLast(4)) : text
  }
}
