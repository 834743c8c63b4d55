import JSON
package import Primitives

/// The result of the last attempt of one kind, a login or an enrolment: `KIND/PROFILE.json` of the cache.
///
/// A process that waited for that attempt, and had asked for the same, gets its result. After a failure the next
/// browser opens only after a pause, so that a hundred programs that need a login do not open a hundred windows.
package struct AttemptLog: Sendable {
  /// An outcome, told apart from any other by its number.
  package struct Record: Sendable, Hashable {
    let number: Int64
    package let time: Timestamp
    package let request: String
    /// Why it failed; `nil` when it did not.
    package let failure: Failure?

    package struct Failure: Sendable, Hashable {
      package let code: String
      let message: String
    }
  }

  private let file: CachedDocument

  package init(_ location: StoreLocation, _ profile: ProfileName, in directory: String = "logins") {
    file = CachedDocument(path: location.cacheFile("\(directory)/\(profile).json"))
  }

  /// The last outcome; `nil` if it cannot be read, because only a pause depends on it.
  package func last() -> Record? {
    file.read().flatMap { try? Record(StoredFields($0, in: file.path.text)) }
  }

  package func note(_ error: SDKError?, of request: String, at now: Timestamp) {
    let failure = error.map { Record.Failure(code: $0.code.description, message: $0.message) }
    file.write(
      Record(
        number: Int64.random(in: 0...(1 << 52)), time: now, request: request, failure: failure
      ).stored)
  }
}

extension AttemptLog.Record: StoredValue {
  package init(_ fields: StoredFields, _ value: Self?) throws(SDKError) {
    number = try fields.required("number", value?.number, .number)
    time = try fields.required("time", value?.time, .seconds)
    request = try fields.required("request", value?.request, .text)
    let code = try fields.optional("code", value?.failure?.code, .text)
    let message = try fields.optional("message", value?.failure?.message, .text)
    guard (code == nil) == (message == nil) else {
      throw fields.invalid(code == nil ? "code" : "message", "is missing")
    }
    failure = code.map { Failure(code: $0, message: message ?? "") }
  }
}

extension AttemptLog.Record {
  /// The seconds for which no browser opens after a failure.
  static let cooldown: Int64 = 5

  /// The same failure, for those who waited.
  var error: SDKError? {
    failure.map { SDKError(SDKError.Code(description: $0.code), $0.message) }
  }

  /// What is left of the pause; none after a success, or when the clock was set back.
  func pause(at now: Timestamp) -> Int64 {
    guard failure != nil else { return 0 }
    let passed = now.seconds(since: time)
    return (0..<Self.cooldown).contains(passed) ? Self.cooldown - passed : 0
  }
}
