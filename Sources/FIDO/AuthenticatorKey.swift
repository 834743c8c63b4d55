import JSON
public import Primitives
import SDKCore
public import UAF

/// A key that an authenticator has registered at a server.
public struct AuthenticatorKey: Sendable, Hashable {
  /// The model of the authenticator.
  public let aaid: AAID
  /// The identifier of the key at the server, in base64url.
  public let keyID: String
  /// The application that the key belongs to: a URL, or the facet of this client.
  public let appID: String
  /// The user at the server.
  public let username: String
  /// When the key was made.
  public let createdAt: Timestamp
  /// How the key's signatures are written.
  public let encoding: AssertionEncoding
  /// How many signatures it has made, the one that proved it at its registration included.
  public internal(set) var signCounter: UInt32
  /// The private key, or where it is.
  let key: IdentityKey

  /// Where the private key is: `file`, `sealed file` or `security token`.
  public var place: String { key.description }
}

extension AuthenticatorKey {
  /// Reads ``stored``; `nil` for anything else.
  init?(stored value: JSON, of aaid: AAID) {
    guard let keyID = value["keyID"]?.string, !keyID.isEmpty,
      Base64.decode(keyID.utf8, alphabet: .url) != nil,
      let appID = value["appID"]?.string, let username = value["username"]?.string,
      let createdAt = value["createdAt"]?.string.flatMap({ Timestamp($0) }),
      let encoding = value["encoding"]?.string.flatMap(AssertionEncoding.init(identifier:)),
      let signCounter = value["signCounter"]?.int.flatMap(UInt32.init(exactly:)),
      let key = value["key"].flatMap(IdentityKey.init(stored:))
    else { return nil }
    self.init(
      aaid: aaid, keyID: keyID, appID: appID, username: username, createdAt: createdAt,
      encoding: encoding, signCounter: signCounter, key: key)
  }

  /// The key as a member of the authenticator's file.
  var stored: JSON {
    [
      "keyID": .string(keyID), "appID": .string(appID), "username": .string(username),
      "createdAt": .string(createdAt.description), "encoding": .string(encoding.rawValue),
      "signCounter": .int(Int64(signCounter)), "key": .object(key.stored),
    ]
  }
}
