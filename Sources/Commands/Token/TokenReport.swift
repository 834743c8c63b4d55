import JOSE
import JSON
import Primitives
import SDKCore

extension TokenSet {
  /// The object that `token --json` prints; `jkt` and `proof` belong to a token that is bound to a key.
  func json(
    slot: CredentialSlot, of profile: ProfileName, jkt: String?, proof: String??
  ) -> JSON {
    .members([
      "accessToken": .string(accessToken), "tokenType": .string(tokenType),
      "expires": JSON(expires?.description), "scope": JSON(scope),
      "slot": .string(slot.rawValue), "profile": .string(profile.description),
      "authorizationDetails": authorizationDetails,
      "jkt": JSON(jkt),
      "proof": proof.map { JSON($0) },
    ])
  }
}

extension IDToken {
  /// The object that `token --id-token --json` prints.
  func json(of profile: ProfileName) -> JSON {
    .members([
      "idToken": .string(text), "profile": .string(profile.description),
      "expires": JSON(expires?.description),
    ])
  }
}

/// The claims of a token, as far as it is a JWT: what `--field` finds besides the members.
func claims(of token: String) -> JSON? { try? JWT(token).claims }
