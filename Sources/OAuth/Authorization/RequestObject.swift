package import HTTP
package import JOSE
import JSON
package import Primitives

/// An authorization request as a signed token (RFC 9101), which the browser cannot change.
package struct RequestObject: Sendable {
  private let request: AuthorizationRequest
  private let issuer: Issuer
  private let now: Timestamp

  package init(_ request: AuthorizationRequest, to issuer: Issuer, at now: Timestamp) {
    self.request = request
    self.issuer = issuer
    self.now = now
  }

  /// The parameters that the browser sends instead.
  ///
  /// OpenID Connect Core 6.1 requires some of them outside of the token too.
  ///
  /// - Throws: ``OAuthError`` `unsupported` if the client has nothing to sign with.
  package func query(signedBy client: ClientAuthentication) throws(OAuthError) -> FormParameters {
    var query: FormParameters = ["client_id": request.clientID]
    for name in ["response_type", "scope"] { query[name] = request.query[name] }
    query["request"] = try token(signedBy: client)
    return query
  }

  /// The parameters of a pushed request, without the client's authentication (RFC 9126 section 3).
  ///
  /// - Throws: ``OAuthError`` `unsupported` if the client has nothing to sign with.
  package func pushed(signedBy client: ClientAuthentication) throws(OAuthError) -> FormParameters {
    ["request": try token(signedBy: client)]
  }

  private func token(signedBy client: ClientAuthentication) throws(OAuthError) -> String {
    guard client.isConfidential else {
      throw OAuthError(
        .unsupported, "the request cannot be signed: the client has neither key nor secret")
    }
    do {
      let payload = JSON.object(try claims()).serialized()
      return try client.sign(
        header: ["typ": "oauth-authz-req+jwt"], payload: Array(payload.utf8))
    } catch {
      throw OAuthError(.unsupported, "the request cannot be signed: \(error.message)")
    }
  }

  private func claims() throws(JOSEError) -> JSONObject {
    let (clientID, parameters) = (request.clientID, request.query)
    var claims: JSONObject = [
      "iss": .string(clientID), "aud": .string(issuer.text), "iat": .time(now),
      "nbf": .time(now), "exp": .time(now + Self.lifetime),
      "jti": .string(try tokenIdentifier()),
    ]
    for name in Set(parameters.map(\.name)) {
      let values = parameters.values(of: name).map { Self.claim(name, $0) }
      claims[name] = values.count == 1 ? values[0] : .array(values)
    }
    return claims
  }

  /// Parameters that are numbers or JSON become claims of that type.
  private static func claim(_ name: String, _ value: String) -> JSON {
    switch name {
    case "max_age": Int64(value).map { .int($0) } ?? .string(value)
    case "authorization_details", "claims": (try? JSON(parsing: value)) ?? .string(value)
    default: .string(value)
    }
  }

  /// Long enough to open a browser by hand.
  private static let lifetime: Int64 = 300
}

extension RequestObject {
  /// The member of a registration that names the algorithm (RFC 9101 section 10.3).
  package static let algorithmMember = "request_object_signing_alg"

  /// What a client will sign requests with, for its registration; `nil` where the server
  /// announces nothing that the client can.
  package static func algorithm(
    of method: ClientAuthentication.Method, key: SigningKey?, at server: ServerMetadata
  ) -> JWSAlgorithm? {
    let offered = server.words("request_object_signing_alg_values_supported") ?? []
    let own = key?.algorithm ?? (method.usesSecret ? .hs256 : nil)
    return own.flatMap { offered.contains($0.rawValue) ? $0 : nil }
  }
}
