import CoreTestSupport
import PageLogin

extension World {
  /// A profile of a program that has logins on pages.
  convenience init(_ settings: JSONObject = [:]) throws {
    try self.init(settings, loginMethods: [.pages])
  }
}
