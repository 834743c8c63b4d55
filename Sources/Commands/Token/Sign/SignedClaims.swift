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
  var lifetime: TimeSpan = .hours(1)
  var time: Timestamp?
  var omitted: [String] = []
  var type = "JWT"
  var header: [Parameter] = []

  /// The claims that a token gets if nobody gives them.
  static let defaults = ["iat", "exp", "jti"]

  /// All claims: those of the file, of the options, and the defaults.
  func claims(_ context: Context) throws -> JSONObject {
    var claims = try fileClaims(context)
    claims["iss"] = issuer.map { .string($0) } ?? claims["iss"]
    claims["sub"] = subject.map { .string($0) } ?? claims["sub"]
    switch audiences.count {
    case 0: break
    case 1: claims["aud"] = .string(audiences[0])
    default: claims["aud"] = .strings(audiences)
    }
    try Self.add(parameters, to: &claims, context)
    let now = time ?? context.now()
    for name in Self.defaults where claims[name] == nil && !omitted.contains(identifier: name) {
      switch name {
      case "iat": claims[name] = .time(now)
      case "exp": claims[name] = .time(now + lifetime)
      default: claims[name] = .string(try tokenIdentifier())
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
    var fields: JSONObject = ["typ": .string(type)]
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

  private func fileClaims(_ context: Context) throws -> JSONObject {
    guard let file else { return [:] }
    let failure = { (cause: String) in
      Failure(.failure, .inputInvalid, "could not read the claims: \(cause)")
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
