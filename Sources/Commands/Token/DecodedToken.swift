import JOSE
import JSON
import Primitives

/// A JWT as it is shown: header, payload and times, without its signature.
struct DecodedToken {
  private let token: JWT

  init(_ token: JWT) { self.token = token }

  var json: JSON {
    [
      "header": token.jws.header, "payload": token.claims,
      "signature": [
        "status": "not-checked", "alg": token.jws.header["alg"] ?? .null,
        "kid": token.jws.header["kid"] ?? .null,
      ],
      "times": .object(
        JSONObject(times.map { ($0.name, .string($0.time.description)) })),
    ]
  }

  func text(at now: Timestamp) -> String {
    var lines = ["header", token.jws.header.serialized(.pretty)]
    lines += ["payload", token.claims.serialized(.pretty)]
    if !times.isEmpty { lines.append("times") }
    for (name, time) in times {
      lines.append("  \(name)  \(time)  (\(Age.relative(time, to: now)))")
    }
    return (lines + ["signature", "  not checked"]).map { $0 + "\n" }.joined()
  }

  private var times: [(name: String, time: Timestamp)] {
    [("iat", token.issuedAt), ("nbf", token.notBefore), ("exp", token.expiration)]
      .compactMap { name, time in time.map { (name, $0) } }
  }
}
