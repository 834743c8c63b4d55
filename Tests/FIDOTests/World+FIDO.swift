import CoreTestSupport
import FIDO

extension World {
  /// A profile of a program that has logins with FIDO keys.
  convenience init(_ settings: JSONObject = [:]) throws {
    try self.init(settings, loginMethods: [.fido()])
  }
}
