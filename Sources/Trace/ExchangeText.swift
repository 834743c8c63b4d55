package import HTTP
import JOSE
import JSON
import OAuth
import Primitives

/// Writes requests and responses for a trace, with decoded parameters and tokens.
package struct ExchangeText {
  let secrets: TraceSecrets

  package init(secrets: TraceSecrets) { self.secrets = secrets }

  /// The lines of a request or a response after its first line: fields, then the body.
  package func lines(_ fields: HTTPFields, _ body: TracedBody) -> [String] {
    var lines = fields.flatMap { field($0) }
    lines += self.body(body, fields["Content-Type"])
    return lines
  }

  package func url(_ url: HTTPURL) -> String { redacted(url.description) }

  /// A text without the known secrets, and without those of the URLs in it, which it learns; in a
  /// form a parameter may stand at the start, too.
  package func redacted(_ text: String, isForm: Bool = false) -> String {
    var shown: [UInt8] = []
    var rest = Array(text.utf8)[...]
    var mayBegin = isForm
    while !rest.isEmpty {
      if mayBegin, let pair = secretPair(at: rest) {
        learn(FormParameters(encoded: "=\(pair.value)")?[""] ?? pair.value, of: pair.name)
        shown += Array("\(pair.name)=\(TraceSecrets.mark)".utf8)
        rest = rest.dropFirst(pair.name.utf8.count + 1 + pair.value.utf8.count)
      }
      guard let byte = rest.popFirst() else { break }
      shown.append(byte)
      // In HTML an ampersand is `&amp;`.
      mayBegin = "?&#;".utf8.contains(byte)
    }
    return secrets.redacted(String(decoding: shown, as: UTF8.self))
  }

  /// The secret parameter at the start of a text; `nil` if there is none.
  private func secretPair(at text: ArraySlice<UInt8>) -> (name: String, value: String)? {
    let name = text.prefix(128).prefix { $0.isLetter || $0.isDigit || "-_.~%[]".utf8.contains($0) }
    let rest = text[name.endIndex...]
    guard rest.first == UInt8(ascii: "=") else { return nil }
    let key = String(decoding: name, as: UTF8.self)
    guard secrets.isSecret(parameter: key) else { return nil }
    let value = rest.dropFirst().prefix { $0 > 0x20 && !"&#\"'<>;,)".utf8.contains($0) }
    return value.isEmpty ? nil : (key, String(decoding: value, as: UTF8.self))
  }

  func status(of response: HTTPResponse) -> String {
    secrets.redacted(response.statusLine).trimmingBlanks
  }

  /// The name of a field: another server may have sent a secret as one.
  func name(of field: HTTPField) -> String { secrets.redacted(field.name) }

  private func field(_ field: HTTPField) -> [String] {
    let shown = name(of: field)
    switch field.name.asciiLowercased {
    case "authorization", "proxy-authorization":
      let words = field.value.split(separator: " ", maxSplits: 1).map(String.init)
      learn(words.last ?? "")
      if let pair = BasicPair(field: field.value) {
        for name in pair.names { learn(name) }
        for secret in pair.secrets { secrets.learn(secret, isChosen: true) }
      }
      let lines = words.count == 2 ? decoded(words[1]) : []
      return ["\(shown): \(words.count == 2 ? words[0] + " " : "")\(TraceSecrets.mark)"]
        + lines
    case "dpop":
      learn(field.value)
      return ["\(shown): \(TraceSecrets.mark)"] + decoded(field.value)
    case "cookie":
      let pairs = field.value.utf8.split(separator: UInt8(ascii: ";"))
      let names = pairs.map { cookie(Substring($0).trimmingBlanks) }
      return ["\(shown): \(names.joined(separator: "; "))"]
    case "set-cookie":
      let pair = field.value.utf8.prefix { $0 != UInt8(ascii: ";") }
      let attributes = String(field.value[pair.endIndex...])
      return ["\(shown): \(cookie(String(Substring(pair))))\(redacted(attributes))"]
    case let name where secrets.isSecret(field: name):
      learn(field.value, of: field.name)
      let token = field.value.words.last ?? ""
      learn(token)
      return ["\(shown): \(TraceSecrets.mark)"] + decoded(token)
    default:
      let lines = decoded(field.value)
      if lines.isEmpty { return ["\(shown): \(redacted(field.value))"] }
      learn(field.value)
      return ["\(shown): \(TraceSecrets.mark)"] + lines
    }
  }

  private func cookie(_ pair: String) -> String {
    // By bytes: an equals sign with a combining mark is one Character in Swift.
    let name = pair.utf8.prefix { $0 != UInt8(ascii: "=") }
    learn(String(Substring(pair.utf8[name.endIndex...].dropFirst())))
    return "\(secrets.redacted(String(Substring(name))))=\(TraceSecrets.mark)"
  }

  package func body(_ body: TracedBody, _ contentType: String?) -> [String] {
    let type = mediaType(contentType)
    guard body.count > 0 else { return [] }
    let shownType = mediaType(contentType.map { redacted($0) })
    let size = "[\(body.count) bytes\(type.isEmpty ? "" : " of \(shownType)")]"
    if type == "multipart/form-data" { learnParts(of: body.bytes) }
    guard body.isWhole, let text = String(validating: body.bytes, as: UTF8.self) else {
      return ["", size]
    }
    if let form = form(body, contentType) {
      return [""] + form.flatMap { parameter($0.name, $0.value) }
    }
    if let document = try? JSON(parsing: body.bytes),
      document.object != nil || document.array != nil
    {
      var tokens: [String] = []
      let shown = redacted(document, &tokens)
      return [""] + secrets.redacted(shown.serialized(.pretty)).lines + tokens
    }
    let token = decoded(text.trimmingBlanks)
    if type == "application/jwt" || type == "application/jose" || !token.isEmpty {
      learn(text.trimmingBlanks)
      return ["", TraceSecrets.mark] + token
    }
    if type.hasSuffix("html") || type.hasSuffix("xhtml+xml") {
      guard !secrets.pageReaders.isEmpty else { return ["", size] }
      for learn in secrets.pageReaders { learn(body.bytes, secrets) }
    }
    guard type.hasPrefix("text/") || type.isEmpty || type.hasSuffix("xml") else {
      return ["", size]
    }
    return [""] + redacted(text, isForm: type.isEmpty).lines
  }

  func parameters(
    _ body: TracedBody, _ contentType: String?
  ) -> [(name: String, value: String)]? {
    form(body, contentType).map { form in form.map { shown($0.name, $0.value) } }
  }

  private func form(_ body: TracedBody, _ contentType: String?) -> FormParameters? {
    guard mediaType(contentType) == "application/x-www-form-urlencoded", body.isWhole,
      let text = String(validating: body.bytes, as: UTF8.self)
    else { return nil }
    return FormParameters(encoded: text)
  }

  private func mediaType(_ contentType: String?) -> String {
    contentType.map { $0.prefix { $0 != ";" }.asciiLowercased.trimmingBlanks } ?? ""
  }

  private func parameter(_ name: String, _ value: String) -> [String] {
    let shown = shown(name, value)
    return ["\(shown.name) = \(shown.value)"]
      + (secrets.isSecret(parameter: name) ? decoded(value) : [])
  }

  private func shown(_ name: String, _ value: String) -> (name: String, value: String) {
    guard secrets.isSecret(parameter: name) else {
      return (secrets.redacted(name), redacted(value))
    }
    learn(value, of: name)
    return (secrets.redacted(name), TraceSecrets.mark)
  }

  /// The document without its secrets; adds the lines of decoded tokens.
  private func redacted(_ value: JSON, _ tokens: inout [String]) -> JSON {
    switch value {
    case .array(let elements):
      var shown: [JSON] = []
      for element in elements { shown.append(redacted(element, &tokens)) }
      return .array(shown)
    case .object(let members):
      var shown: JSONObject = [:]
      for (name, member) in members {
        if secrets.isSecret(member: name), let values = member.secretValues(of: name) {
          for text in values {
            learn(text, of: name)
            let lines = decoded(text)
            if !lines.isEmpty { tokens += ["\(secrets.redacted(name)):"] + lines }
          }
          shown[secrets.redacted(name)] = .string(TraceSecrets.mark)
        } else {
          let lines = member.string.map { decoded($0) } ?? []
          if !lines.isEmpty { tokens += ["\(secrets.redacted(name)):"] + lines }
          shown[secrets.redacted(name)] = redacted(member, &tokens)
        }
      }
      return .object(shown)
    case .string(let text):
      // Before it is escaped. A token is a secret wherever it stands.
      guard decoded(text).isEmpty else {
        learn(text)
        return .string(TraceSecrets.mark)
      }
      return .string(redacted(text))
    default: return value
    }
  }

  private func learn(_ secret: String) { secrets.learn(secret) }

  private func learn(_ secret: String, of name: String) { secrets.learn(secret, of: name) }

  /// Learns the secrets among the parts of a form, of which only the size is shown.
  private func learnParts(of body: [UInt8]) {
    var name: String?
    var isValue = false
    for line in String(decoding: body, as: UTF8.self).lines {
      if line.hasPrefix("--") {
        (name, isValue) = (nil, false)
      } else if isValue {
        if let name, secrets.isSecret(parameter: name) { learn(line, of: name) }
      } else if line.isEmpty {
        isValue = true
      } else if line.asciiLowercased.hasPrefix("content-disposition:") {
        name = line.split(separator: ";").map { String($0).trimmingBlanks }
          .first { $0.hasPrefix("name=\"") && $0.hasSuffix("\"") }
          .map { String($0.dropFirst(6).dropLast()) }
      }
    }
  }

  private func decoded(_ token: String) -> [String] {
    guard token.utf8.count < 1 << 16, let jwt = try? JWT(token) else { return [] }
    return [
      "  header: \(secrets.redacted(jwt.jws.header.serialized()))",
      "  claims: \(secrets.redacted(jwt.claims.serialized()))",
    ]
  }
}

extension JSON {
  /// The texts of a secret member; `nil` if its own members decide, or if it only tells a time.
  fileprivate func secretValues(of name: String) -> [String]? {
    switch self {
    case .string(let text): [text]
    case .number: name.hasSuffix("_at") || name.hasSuffix("_in") ? nil : [serialized()]
    case .array(let elements):
      elements.isEmpty || elements.contains { $0.object != nil || $0.array != nil }
        ? nil : elements.compactMap { $0.string ?? $0.serialized() }
    default: nil
    }
  }
}

extension String {
  fileprivate var lines: [String] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }
}
