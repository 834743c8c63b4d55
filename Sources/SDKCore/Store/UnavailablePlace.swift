import JSON

/// A shared place in a program that opened the store without a network.
struct UnavailablePlace: SecretPlace {
  let address: EtcdAddress

  func read(_ path: String) throws(SDKError) -> JSONObject? { throw failure(path) }

  func write(_ members: JSONObject, to path: String) throws(SDKError) { throw failure(path) }

  func remove(_ path: String) throws(SDKError) { throw failure(path) }

  func proveWritable(_ path: String) throws(SDKError) { throw failure(path) }

  func title(of path: String) -> String { "\(path) in etcd:\(address)" }

  private func failure(_ path: String) -> SDKError {
    SDKError(
      .unavailable, "could not use '\(title(of: path))': the store was opened without a network")
  }
}
