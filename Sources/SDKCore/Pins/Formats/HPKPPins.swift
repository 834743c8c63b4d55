import Pinning
import Primitives

/// The header field of HTTP Public Key Pinning (RFC 7469 section 2.1).
///
/// Browsers have removed it; the syntax is still found in configurations and reports.
enum HPKPPins {
  private static let capabilities: PinCapabilities = [.allSubdomains, .expiry, .report]
  /// The longest time that RFC 7469 section 4.1 recommends: sixty days.
  private static let sixtyDays: Int64 = 5_184_000

  static func export(_ set: PinSet, at now: Timestamp) throws(PinFormatError) -> PinExport {
    guard !set.isExpired(at: now) else { throw PinFormatError(cause: "the pins have expired") }
    var losses = capabilities.losses(of: set)
    if set.pattern.subdomains == .direct {
      losses.append("\(set.pattern): the header field is that of the host itself")
    }
    if set.reportURIs.count > 1 {
      losses.append("\(set.pattern): the format has one address for reports")
    }
    if !set.hasBackup {
      losses.append("\(set.pattern): user agents ignore pins without a backup pin")
    }
    let age = set.expires.map { $0.seconds(since: now) } ?? sixtyDays
    if set.expires == nil {
      losses.append("\(set.pattern): the format requires an end; max-age is 60 days")
    }
    let name = set.policy == .report ? "Public-Key-Pins-Report-Only" : "Public-Key-Pins"
    var parts = set.keys.map { "pin-sha256=\"\($0.pin.base64)\"" } + ["max-age=\(age)"]
    if set.pattern.subdomains == .all { parts.append("includeSubDomains") }
    if let uri = set.reportURIs.first, !uri.utf8.contains(where: { $0 == 0x22 || $0 <= 0x20 }) {
      parts.append("report-uri=\"\(uri)\"")
    }
    return PinExport(
      text: "\(name): \(parts.joined(separator: "; "))\n",
      losses: losses.filter { !$0.hasSuffix("no addresses for reports") })
  }

  static func read(
    _ text: String, for host: PinPattern, at now: Timestamp
  ) throws(PinFormatError) -> PinImport {
    var (value, isReport) = (text.trimmingBlanks, false)
    while value.last?.isNewline == true { value.removeLast() }
    guard !value.contains(where: \.isNewline) else {
      throw PinFormatError(cause: "it is more than one header field")
    }
    let name = value.prefix { $0 != ":" && $0 != "=" && $0 != ";" }
    if name.utf8.count < value.utf8.count, value.dropFirst(name.count).first == ":" {
      switch name.asciiLowercased {
      case "public-key-pins": break
      case "public-key-pins-report-only": isReport = true
      default: throw PinFormatError(cause: "'\(shown(String(name)))' is not Public-Key-Pins")
      }
      value = String(value.dropFirst(name.count + 1)).trimmingBlanks
    }
    var directives = Directives()
    for part in try parts(value) { try directives.add(part) }
    guard let age = directives.age else { throw PinFormatError(cause: "max-age is missing") }
    let pattern =
      directives.includesSubdomains && host.subdomains == .none
      ? host.with(subdomains: .all) ?? host : host
    let set = PinSet(
      pattern, expires: now + age, policy: isReport ? .report : nil,
      reportURIs: directives.reportURI.map { [$0] } ?? [],
      keys: directives.pins.map { PinnedKey(imported: $0) })
    return PinImport(
      sets: set.keys.isEmpty ? [] : [set],
      losses: directives.unknown.map { "the directive '\(shown($0))' is not used" })
  }

  /// Splits at semicolons outside quotes.
  private static func parts(_ value: String) throws(PinFormatError) -> [String] {
    var parts = [""]
    var isQuoted = false
    for character in value {
      if character == "\"" { isQuoted.toggle() }
      if character == ";", !isQuoted {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    guard !isQuoted else { throw PinFormatError(cause: "a quotation mark is missing") }
    return parts.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }

  /// The directives of a field, of which only pins may be repeated.
  private struct Directives {
    var pins: [Pin] = []
    var age: Int64?
    var includesSubdomains = false
    var reportURI: String?
    var unknown: [String] = []

    mutating func add(_ part: String) throws(PinFormatError) {
      let name = String(part.prefix { $0 != "=" }).trimmingBlanks.asciiLowercased
      let rest = part.dropFirst(part.prefix { $0 != "=" }.count).dropFirst()
      let value = String(rest).trimmingBlanks
      switch name {
      case "pin-sha256":
        guard let quoted = unquoted(value) else {
          throw PinFormatError(cause: "the value of pin-sha256 is not in quotation marks")
        }
        pins.append(try PinnedKey.imported(base64: quoted, "pin-sha256").pin)
      case "max-age":
        let digits = (unquoted(value) ?? value).utf8
        guard age == nil, !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
          throw PinFormatError(cause: "max-age is repeated or not a number")
        }
        // A number that is too large is a long time (RFC 7469 section 2.1.2 sets no limit).
        let number = Int64(String(digits)) ?? .max
        guard number > 0 else { throw PinFormatError(cause: "max-age=0 removes all pins") }
        age = min(number, 100 * 365 * 86_400)
      case "includesubdomains":
        guard !includesSubdomains, value.isEmpty else {
          throw PinFormatError(cause: "includeSubDomains is repeated or has a value")
        }
        includesSubdomains = true
      case "report-uri":
        guard reportURI == nil, let uri = unquoted(value) else {
          throw PinFormatError(cause: "report-uri is repeated or not in quotation marks")
        }
        reportURI = uri
      default: unknown.append(name)
      }
    }

    private func unquoted(_ value: String) -> String? {
      guard value.first == "\"", value.last == "\"" else { return nil }
      return String(value.dropFirst().dropLast())
    }
  }
}
