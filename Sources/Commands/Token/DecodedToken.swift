import JOSE
import JSON
import Primitives

/// A JWT as it is shown: header, payload and times, without its signature.
struct DecodedToken: Sendable {
  /// What is known of the signature.
  enum Signature: String, Sendable {
    case none, unsigned, notVerified = "not-verified", verified, invalid
  }

  private let content: TokenContent
  private let name: String?
  private let line: Int?
  private let disclosures: DisclosureReport?
  let signature: Signature

  /// Takes a token; `name` is the member that held it, `line` the line of the input.
  init(_ content: TokenContent, name: String? = nil, line: Int? = nil, keys: KeyFile? = nil) {
    self.content = content
    self.name = name
    self.line = line
    disclosures = content.selective.map { DisclosureReport($0) }
    signature = Self.signature(of: content, keys)
  }

  /// Only what fits the algorithm is tried.
  private static func signature(of content: TokenContent, _ keys: KeyFile?) -> Signature {
    guard let jws = content.jws else { return .none }
    if content.header["alg"]?.string == "none" { return .unsigned }
    guard let algorithm = jws.algorithm, let keys else { return .notVerified }
    let set = JWKSet(keys: keys.keys.keys, ignoringKeyIDs: true)
    guard !set.candidates(kid: nil, algorithm: algorithm).isEmpty else { return .notVerified }
    return (try? set.verify(jws, allowed: [algorithm])) == nil ? .invalid : .verified
  }

  /// The claims, in which `--field` also looks, with the disclosed ones; `nil` if they are encrypted.
  var claims: JSON? { disclosures?.claims ?? content.payload }

  var json: JSON {
    .members(
      [
        "header": content.header, "payload": content.payload ?? .null,
        "signature": content.payload.map { _ in signatureJSON },
        "times": .object(
          JSONObject(times.map { ($0.name, .string($0.time.description)) })),
        "outer": content.outer.isEmpty ? nil : .array(content.outer),
        "encrypted": content.payload == nil ? true : nil,
        "name": name.map { .string($0) }, "line": line.map { .int(Int64($0)) },
      ].merging(disclosures?.members ?? [:]) { own, _ in own })
  }

  private var signatureJSON: JSON {
    guard content.jws != nil else { return ["status": .string(signature.rawValue)] }
    return [
      "status": .string(signature.rawValue), "alg": content.header["alg"] ?? .null,
      "kid": content.header["kid"] ?? .null,
    ]
  }

  /// The text for people.
  func text(
    at now: Timestamp, colours: Bool = false, local: (Timestamp) -> String? = { _ in nil }
  ) -> String {
    var lines: [String] = []
    for header in content.outer { lines += ["outer header", header.serialized(.pretty)] }
    lines += ["header", content.header.serialized(.pretty)]
    guard let payload = content.payload else {
      return (lines + ["payload", "  encrypted; use --decrypt-key"]).map { $0 + "\n" }.joined()
    }
    lines += ["payload", payload.serialized(.pretty)] + (disclosures?.lines ?? [])
    let times = Self.timeNames.compactMap { name in shownTime(name).map { (name, $0.0, $0.1) } }
    if !times.isEmpty { lines.append("times") }
    let width = times.map(\.0.utf8.count).max() ?? 0
    for (name, time, note) in times {
      let padding = String(repeating: " ", count: width - name.utf8.count)
      let here = local(time).map { "\($0), " } ?? ""
      let line = "  \(name)\(padding)  \(time)  (\(here)\(Age.relative(time, to: now))\(note))"
      let isPast = name == "exp" && time <= now
      lines.append(Tone.bad.coloured(line, if: colours && isPast))
    }
    let isBad = signature == .invalid || signature == .unsigned
    let verdict = "  \(signature.text)"
    lines += ["signature", Tone.bad.coloured(verdict, if: colours && isBad)]
    return lines.map { $0 + "\n" }.joined()
  }

  private static let timeNames = ["iat", "nbf", "exp", "auth_time"]

  private var times: [(name: String, time: Timestamp)] {
    Self.timeNames.compactMap { name in time(name).map { (name, $0) } }
  }

  /// A time of a claim, with a note if it is in milliseconds.
  private func shownTime(_ name: String) -> (Timestamp, String)? {
    // 100,000,000,000 seconds are the year 5138.
    guard let number = content.payload?[name]?.double, number >= 100_000_000_000,
      number < 253_402_300_800_000
    else { return time(name).map { ($0, "") } }
    return (Timestamp(Int64(number / 1000)), "; the number is in milliseconds, which is wrong")
  }

  /// A time of a claim, if it is one of this era.
  private func time(_ name: String) -> Timestamp? {
    guard let seconds = content.payload?[name]?.double, seconds >= 0, seconds < 253_402_300_800
    else { return nil }
    return Timestamp(Int64(seconds))
  }
}

extension DecodedToken.Signature {
  fileprivate var text: String {
    switch self {
    case .none: "none: the token is encrypted, but not signed"
    case .unsigned: "none: the token is unsigned (alg is none)"
    case .notVerified: "not verified"
    case .verified: "verified with the key of --key"
    case .invalid: "INVALID: not made with the key of --key"
    }
  }
}
