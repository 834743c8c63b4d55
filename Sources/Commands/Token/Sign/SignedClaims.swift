import JOSE
import JSON
import OAuth
import POSIX
import Primitives

/// The claims and the header of a token that is to be signed.
struct SignedClaims: Sendable {
  var file: String?
  var parameters: [Parameter] = []
  var issuer: String?
  var subject: String?
  var audiences: [String] = []
  var lifetime: TimeSpan?
  var time: Timestamp?
  var omitted: [Default] = []
  var type: String?
  var header: [Parameter] = []

  /// The claims that a token gets if nobody gives them.
  enum Default: String, CaseIterable, Sendable { case iat, exp, jti }

  /// All claims: those of the file, of the options, and the defaults.
  func claims(_ context: Context) throws -> JSONObject {
    try requireOnce()
    var claims = try fileClaims(context)
    for claim in omitted { claims[claim.rawValue] = nil }
    claims["iss"] = issuer.map { .string($0) } ?? claims["iss"]
    claims["sub"] = subject.map { .string($0) } ?? claims["sub"]
    switch audiences.count {
    case 0: break
    case 1: claims["aud"] = .string(audiences[0])
    default: claims["aud"] = .strings(audiences)
    }
    let now = time ?? context.now()
    if let lifetime { claims["exp"] = .time(now + lifetime) }
    try Self.add(parameters, to: &claims, context)
    for claim in Default.allCases
    where claims[claim.rawValue] == nil && !omitted.contains(claim) {
      claims[claim.rawValue] =
        switch claim {
        case .iat: .time(now)
        case .exp: .time(now + TimeSpan.hours(1))
        case .jti: .string(try tokenIdentifier())
        }
    }
    // A test may want such a token; a mistyped claim is more frequent.
    do throws(JOSEError) {
      _ = try TokenClaims(.object(claims))
    } catch {
      context.warning(error.message)
    }
    return claims
  }

  /// The fields of the header, without the algorithm, which is the key's.
  func header(kid: String?, _ context: Context) throws -> JSONObject {
    var fields: JSONObject = ["typ": .string(type ?? "JWT")]
    fields["kid"] = kid.map { .string($0) }
    try Self.add(header, to: &fields, context)
    guard fields["alg"] == nil, fields["b64"] == nil else {
      throw Failure.usage(
        fields["alg"] == nil
          ? "payloads that are not encoded (b64) are not supported"
          : "the algorithm is that of the key: choose it with --alg")
    }
    return fields
  }

  /// Refuses two values of one member.
  private func requireOnce() throws {
    let options: [(member: String, option: String, isGiven: Bool)] =
      [
        ("iss", "--iss", issuer != nil), ("sub", "--sub", subject != nil),
        ("aud", "--aud", !audiences.isEmpty), ("exp", "--exp", lifetime != nil),
      ] + omitted.map { ($0.rawValue, "--omit \($0)", true) }
    for (index, value) in options.enumerated() where value.isGiven {
      let other =
        parameters.contains { sameIdentifier($0.name, value.member) }
        ? "--claim \(value.member)"
        : options[..<index].first {
          $0.isGiven && $0.member == value.member && $0.option != value.option
        }?.option
      guard let other else { continue }
      throw Failure.usage("'\(other)' and '\(value.option)' cannot be used together")
    }
    guard type == nil || !header.contains(where: { sameIdentifier($0.name, "typ") }) else {
      throw Failure.usage("'--header typ' and '--typ' cannot be used together")
    }
  }

  private func fileClaims(_ context: Context) throws -> JSONObject {
    guard let file else { return [:] }
    let failure = { (cause: String) in
      Failure(.inputInvalid, "could not read the claims: \(cause)")
    }
    let bytes = try context.read(file, "the claims")
    let claims: JSON
    do throws(JSONError) {
      claims = try JSON(parsing: bytes)
    } catch {
      throw failure("'\(Visible.line(file))' is not JSON: \(error)")
    }
    guard let object = claims.object else {
      throw failure("they are \(claims.kind), not an object")
    }
    return object
  }

  private static func add(
    _ parameters: [Parameter], to members: inout JSONObject, _ context: Context
  ) throws {
    for parameter in parameters {
      let loaded = try parameter.loaded(context.input)
      members[loaded.name] = loaded.json ?? .string(loaded.value)
    }
  }
}
