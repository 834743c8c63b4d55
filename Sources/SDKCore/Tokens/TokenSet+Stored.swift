import JSON
import OAuth
import Primitives

extension TokenSet {
  /// The members of a stored document, with `nil` for those that it does not have.
  var stored: [String: JSON?] {
    [
      "accessToken": .string(accessToken), "tokenType": .string(tokenType),
      "expires": expires.map { .time($0) }, "scope": scope.map { .string($0) },
      "refreshToken": refreshToken.map { .string($0) }, "idToken": idToken.map { .string($0) },
      "obtained": .time(obtained), "resources": resources.isEmpty ? nil : .strings(resources),
      "loginScope": loginScope.map { .string($0) }, "authorizationDetails": authorizationDetails,
      "payloadEncryption": encryptsPayload ? true : nil,
      "provider": isSessionJWT ? .string("jwt") : nil, "cookies": nil, "user": nil,
      "endpoints": endpoints?.stored,
    ]
  }

  /// Reads the members of a stored document; `place` names it in errors.
  init(stored members: JSONObject, in place: String) throws(SDKError) {
    guard let accessToken = members["accessToken"]?.string else {
      throw SDKError(
        .invalidConfiguration, "could not read \(place): 'accessToken' is missing or no string")
    }
    guard let obtained = try storedTime("obtained", of: members, in: place) else {
      throw SDKError(.invalidConfiguration, "could not read \(place): 'obtained' is missing")
    }
    self.init(
      accessToken: accessToken, tokenType: members["tokenType"]?.string ?? "Bearer",
      expires: try storedTime("expires", of: members, in: place),
      scope: members["scope"]?.string, refreshToken: members["refreshToken"]?.string,
      idToken: members["idToken"]?.string, obtained: obtained)
    resources = members["resources"]?.strings ?? []
    loginScope = members["loginScope"]?.string
    authorizationDetails = members["authorizationDetails"]
    encryptsPayload = members["payloadEncryption"]?.bool ?? false
    endpoints = SecretEndpoints(stored: members["endpoints"])
    isSessionJWT = members["provider"]?.string == "jwt"
  }
}

/// A time that cannot be read must not become "never".
private func storedTime(
  _ name: String, of members: JSONObject, in place: String
) throws(SDKError) -> Timestamp? {
  guard let value = members[name], value != .null else { return nil }
  guard let time = value.time, (0...253_402_300_799).contains(time) else {
    throw SDKError(
      .invalidConfiguration,
      "could not read \(place): '\(name)' is not a time in seconds since 1970")
  }
  return time
}
