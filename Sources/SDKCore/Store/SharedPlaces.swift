import JSON

/// Makes the places of secrets that several machines share.
///
/// They need a network, which the store does not have: who opens the store hands over what does.
protocol SharedPlaces: Sendable {
  /// The place that an entry names, for a profile; `nil` if this program has no such store.
  func place(
    _ address: SharedAddress, _ connection: StoreConnection, of profile: ProfileName,
    at location: StoreLocation
  ) -> (any SecretPlace)?
}

/// How a machine reaches a shared store.
public struct StoreConnection: Sendable, Hashable {
  /// The file with the authorities of the cluster, as PEM; `nil` for those of the profile.
  public var caFile: String?
  /// The file with the client certificate and its key, as PEM; `nil` to send none.
  public var certificateFile: String?

  /// Makes a connection.
  public init(caFile: String? = nil, certificateFile: String? = nil) {
    self.caFile = caFile
    self.certificateFile = certificateFile
  }

  init(stored members: JSONObject) {
    self.init(
      caFile: members["caFile"]?.string, certificateFile: members["certificateFile"]?.string)
  }

  var stored: [String: JSON?] {
    [
      "caFile": caFile.map { .string($0) }, "certificateFile": certificateFile.map { .string($0) },
    ]
  }
}

/// The transaction of a shared place that a task is in.
protocol PlaceTransaction: AnyObject, Sendable {}

enum PlaceTransactions {
  /// The innermost one; `nil` outside of a shared place's locks.
  @TaskLocal static var current: (any PlaceTransaction)?

  /// Runs the body in a transaction.
  static func holding<Value: Sendable>(
    _ transaction: (any PlaceTransaction)?, _ body: () async throws(SDKError) -> Value
  ) async throws(SDKError) -> Value {
    let result = await $current.withValue(transaction) { () async -> Result<Value, SDKError> in
      do throws(SDKError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
