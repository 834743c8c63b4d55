import JOSE
import JSON
import Primitives

/// A JWT as it is shown: header, payload and times, without its signature.
struct DecodedToken: Sendable {
  enum Signature: String, Sendable {
    case none, unsigned, notVerified = "not-verified", verified, invalid
  }

  private let content: TokenContent
  private let name: String?
  private let line: Int?
  /// Of an SD-JWT.
  private let disclosures: Result<DisclosedClaims, JOSEError>?
  let signature: Signature

  /// Takes a token; `name` is the member that held it, `line` the line of the input.
  init(_ content: TokenContent, name: String? = nil, line: Int? = nil, keys: KeyFile? = nil) {
    self.content = content
    self.name = name
    self.line = line
    disclosures = content.selective.map { token in
      Result { () throws(JOSEError) in try DisclosedClaims(token) }
    }
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
  var claims: JSON? { disclosed?.claims ?? content.payload }

  /// The disclosures, if they fit the digests.
  private var disclosed: DisclosedClaims? { try? disclosures?.get() }

  static let rows = Rows<DecodedToken>(
    [
      .member("header", "the header") { $0.content.header },
      .member("payload", "the payload, as it was signed, unless it is encrypted") {
        $0.content.payload
      },
      .object("signature", "what is known of the signature", signatureRows) {
        $0.content.payload == nil ? nil : $0
      }.orAbsent,
      .object("times", "the times of claims in ISO 8601", isOptional: false, timeRows) { $0 },
      .member("outer", "the headers of the tokens around it") {
        $0.content.outer.isEmpty ? nil : JSON.array($0.content.outer)
      }.orAbsent,
      .member("encrypted", "true, if there is no key for it") {
        $0.content.payload == nil ? true : nil
      }.orAbsent,
    ] + DisclosedClaims.rows.ofAny { $0.disclosed } + [
      .object("keyBinding", "the key binding of an SD-JWT", bindingRows) {
        $0.content.selective?.keyBinding
      }.orAbsent,
      .member("problem", "why disclosures and digests do not fit, in place of `claims`") {
        $0.problem
      }.orAbsent,
      .member("name", "the member of a token response, or the path in another document") {
        $0.name
      }.orAbsent,
      .member("line", "the line, of many") { $0.line.map(Int64.init) }.orAbsent,
    ])

  private static let signatureRows = Rows<DecodedToken>(
    [
      .member(
        "status",
        "`unsigned`, `not-verified`, `verified`, `invalid`, or `none` of a decrypted token without one"
      ) { $0.signature.rawValue }
    ]
      + Rows<JSON>(
        .member("alg", "the algorithm") { $0["alg"] }, .member("kid", "the key ID") { $0["kid"] }
      ).ofAny { $0.content.jws == nil ? nil : $0.content.header })

  private static let timeRows = Rows<DecodedToken>(
    zip(timeNames, ["issued", "valid from", "expires", "logged in"]).map { name, meaning in
      .member(name, meaning) { $0.time(name) }.orAbsent
    })

  private static let bindingRows = Rows<JWS>(
    .member("header", "its header") { $0.header },
    .member("payload", "its payload") { $0.shownPayload })

  private var problem: String? {
    if case .failure(let error) = disclosures { error.message } else { nil }
  }

  func text(
    at now: Timestamp, colours: Bool = false, local: (Timestamp) -> String? = { _ in nil }
  ) -> String {
    var lines: [String] = []
    for header in content.outer { lines += ["outer header", header.serialized(.pretty)] }
    lines += ["header", content.header.serialized(.pretty)]
    guard let payload = content.payload else {
      return (lines + ["payload", "  encrypted; use --decrypt-key"]).map { $0 + "\n" }.joined()
    }
    lines += ["payload", payload.serialized(.pretty)] + disclosureLines
    let times = Self.timeNames.compactMap { name in shownTime(name).map { (name, $0.0, $0.1) } }
    if !times.isEmpty { lines.append("times") }
    let width = times.map(\.0.utf8.count).max() ?? 0
    for (name, time, note) in times {
      let here = local(time).map { "\($0), " } ?? ""
      let age = Age.relative(time, to: now)
      let line = "  \(name.padding(to: width))  \(time)  (\(here)\(age)\(note))"
      let isPast = name == "exp" && time <= now
      lines.append(Tone.bad.coloured(line, if: colours && isPast))
    }
    let isBad = signature == .invalid || signature == .unsigned
    let verdict = "  \(signature.text)"
    lines += ["signature", Tone.bad.coloured(verdict, if: colours && isBad)]
    return lines.map { $0 + "\n" }.joined()
  }

  private static let timeNames = ["iat", "nbf", "exp", "auth_time"]

  private var disclosureLines: [String] {
    guard let token = content.selective else { return [] }
    var lines = ["disclosures"]
    for value in disclosed?.values ?? [] {
      lines.append(Visible.line("  \(value.path) = \(value.disclosure.value.serialized())"))
    }
    if let count = disclosed?.undisclosedCount, count > 0 {
      lines.append("  \(count) digests without disclosure")
    }
    if let problem { lines.append(Visible.line("  invalid: \(problem)")) }
    guard let binding = token.keyBinding else { return lines }
    return lines + [
      "key binding", binding.header.serialized(.pretty), binding.shownPayload.serialized(.pretty),
    ]
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

extension DisclosedClaims {
  fileprivate static let rows = Rows<DisclosedClaims>(
    .member("claims", "of an SD-JWT, the claims with the disclosed ones") { $0.claims },
    .list("disclosures", "what was disclosed", valueRows) { $0.values },
    .member("undisclosed", "how many digests have no disclosure: not disclosed, or decoys") {
      Int64($0.undisclosedCount)
    })

  private static let valueRows = Rows<Value>(
    .member("path", "where the value belongs") { $0.path },
    .member("value", "the value") { $0.disclosure.value },
    .member("salt", "the salt") { $0.disclosure.salt },
    .member("digest", "the digest") { $0.digest })
}

extension JWS {
  fileprivate var shownPayload: JSON {
    (try? JSON(parsing: payload)) ?? .string(String(decoding: payload, as: UTF8.self))
  }
}
