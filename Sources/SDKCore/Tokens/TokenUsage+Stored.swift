import JSON
import OAuth

extension TokenUsage {
  /// As it is in a slot file; `nil` if nothing of it is there.
  var stored: JSON? {
    guard self != TokenUsage() else { return nil }
    return .members([
      "profileID": profileID.map { .string($0) }, "count": count.map { .int($0) },
      "limit": limit.map { .int($0) }, "biometric": isBiometric ? true : nil,
      "payloadEncryption": encryptsPayload ? true : nil,
    ])
  }

  init(stored: JSON?) {
    self.init(
      profileID: stored?["profileID"]?.string, count: stored?["count"]?.int,
      limit: stored?["limit"]?.int, isBiometric: stored?["biometric"]?.bool ?? false,
      encryptsPayload: stored?["payloadEncryption"]?.bool ?? false)
  }
}
