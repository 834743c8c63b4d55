import JSON

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
