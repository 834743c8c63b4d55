import CoreTestSupport
import FIDO
import SDKCore

extension World {
  /// A profile of a program that has logins with FIDO keys.
  convenience init(_ settings: JSONObject = [:]) throws {
    try self.init(settings, loginMethods: [.fido()])
  }

  /// The identities of the profile, which open keys in security tokens.
  func identities() -> IdentityStore { IdentityStore(store, name, now: { World.now }) }
}
