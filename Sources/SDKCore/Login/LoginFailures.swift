import JSON

/// The last login of a profile that failed: `logins/PROFILE.json` of the cache.
///
/// Whoever waited for that login gets its failure, and the next browser opens only after
/// a pause, so that a hundred programs that want a login do not open a hundred windows.
struct LoginFailures: Sendable {
  /// A failure, told apart from any other by its number.
  struct Record: Sendable, Hashable {
    let number: Int64
    let time: Int64
    let code: String
    let message: String
  }

  private let path: String

  init(_ location: StoreLocation, _ profile: ProfileName) {
    path = "\(location.cache)/logins/\(profile).json"
  }

  /// The last failure; what cannot be read is none, for nothing depends on it but a pause.
  func last() -> Record? {
    guard let members = try? StoreDocument.read(path, .secret)?.members,
      let number = members["number"]?.int, let time = members["time"]?.int,
      let code = members["code"]?.string, let message = members["message"]?.string
    else { return nil }
    return Record(number: number, time: time, code: code, message: message)
  }

  func note(_ error: SDKError, at now: Int64) {
    let members: [String: JSON] = [
      "number": .int(Int64.random(in: 0...(1 << 52))), "time": .int(now),
      "code": .string(error.code.description), "message": .string(error.message),
    ]
    try? StoreDocument(path: path, secrecy: .secret, members: members).write()
  }

  func clear() { try? StoreDocument(path: path, secrecy: .secret).remove() }
}

extension LoginFailures.Record {
  /// The seconds for which no browser opens after it.
  static let cooldown: Int64 = 5

  /// The same failure, for those who waited.
  var error: SDKError { SDKError(SDKError.Code(description: code), message) }

  /// What is left of the pause; none when the clock was set back.
  func pause(at now: Int64) -> Int64 {
    (0..<Self.cooldown).contains(now - time) ? Self.cooldown - (now - time) : 0
  }
}
