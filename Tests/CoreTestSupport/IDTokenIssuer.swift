package import JOSE
package import JSON
import OpenSSL
import Primitives
import TestSupport

/// An issuer of ID tokens for the client `app` of a world.
package struct IDTokenIssuer {
  package static let keysURL = "https://id.test/jwks"

  package let signer: SigningKey

  package init() throws { signer = try SigningKey.generate(.es256) }

  /// A token that is good at the beginning of a world.
  package func token(_ changes: [String: JSON?] = [:]) throws -> String {
    var claims: JSONObject = [
      "iss": "https://id.test", "sub": "alice", "aud": "app", "exp": .time(World.now + 3600),
      "iat": .time(World.now),
    ]
    for (name, value) in changes { claims[name] = value }
    return try signer.sign(
      header: [:], payload: Array(JSON.object(claims).serialized().utf8))
  }

  /// Publishes the key at the server, which announces the algorithm.
  package func publish(in world: World) {
    world.transport.respond(Self.keysURL, .json(document))
    world.announce(
      #""id_token_signing_alg_values_supported":["ES256"],"#
        + #""userinfo_endpoint":"https://id.test/userinfo""#)
  }

  package var document: String {
    JSON.object(["keys": [signer.publicKey.json]]).serialized()
  }
}
