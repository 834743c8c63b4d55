import JOSE
import JSON
import Primitives
import SDKCore

/// The object that `token --json` prints.
struct AccessTokenReport {
  let tokens: TokenSet
  let slot: CredentialSlot
  let profile: ProfileName

  /// The members; `jkt` and `proof` belong to a token that is bound to a key.
  func json(jkt: String?, proof: String??) -> JSON {
    .members([
      "accessToken": .string(tokens.accessToken), "tokenType": .string(tokens.tokenType),
      "expires": JSON(tokens.expires?.description),
      "scope": JSON(tokens.scope),
      "slot": .string(slot.rawValue), "profile": .string(profile.description),
      "authorizationDetails": tokens.authorizationDetails,
      "jkt": JSON(jkt),
      "proof": proof.map { JSON($0) },
    ])
  }
}

/// The object that `token --id-token --json` prints.
struct IDTokenReport {
  let token: IDToken
  let profile: ProfileName

  var json: JSON {
    .members([
      "idToken": .string(token.text), "profile": .string(profile.description),
      "expires": JSON(token.expires?.description),
    ])
  }
}

/// The claims of a token, as far as it is a JWT: what `--field` finds besides the members.
func claims(of token: String) -> JSON? { try? JWT(token).claims }
