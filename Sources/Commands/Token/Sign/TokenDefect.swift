import JOSE
import JSON
import Primitives

/// What is wrong with a token that a resource server must refuse.
enum TokenDefect: String, CaseIterable, Sendable {
  case signature
  case claims
  case key
  case none
  case hmac
  case expired
  case early = "not-yet-valid"
  case issuer
  case audience
  case critical

  func change(_ claims: inout JSONObject, at now: Timestamp) {
    switch self {
    case .expired:
      claims["iat"] = .time(now - 7200)
      claims["exp"] = .time(now - 3600)
    case .early:
      claims["nbf"] = .time(now + 3600)
      claims["exp"] = .time(now + 7200)
    case .issuer: claims["iss"] = "https://other-issuer.invalid"
    case .audience: claims["aud"] = "other-audience"
    default: break
    }
  }

  func sign(
    _ header: JSONObject, _ claims: JSON, by signer: TokenSigner
  ) throws(JOSEError) -> String {
    let payload = Array(claims.serialized().utf8)
    var header = header
    switch self {
    case .expired, .early, .issuer, .audience: break
    case .critical:
      header["crit"] = ["unknown"]
      header["unknown"] = true
    case .key: return try signer.replacingKey().sign(header: header, payload: payload)
    case .hmac: return try signer.confused().sign(header: header, payload: payload)
    case .none:
      header["alg"] = "none"
      let text = JSON.object(header).serialized()
      return "\(Base64URL.encode(Array(text.utf8))).\(Base64URL.encode(payload))."
    case .signature, .claims:
      var parts = try signer.sign(header: header, payload: payload).split(separator: ".").map(
        String.init)
      if self == .signature {
        var signature = try Base64URL.decode(parts[2])
        signature[signature.count / 2] ^= 1
        parts[2] = Base64URL.encode(signature)
      } else {
        var other = claims.object ?? [:]
        other["sub"] = "somebody-else"
        parts[1] = Base64URL.encode(Array(JSON.object(other).serialized().utf8))
      }
      return parts.joined(separator: ".")
    }
    return try signer.sign(header: header, payload: payload)
  }
}
