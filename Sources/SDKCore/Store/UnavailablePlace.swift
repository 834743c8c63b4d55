import JSON

/// A shared place that this program cannot reach.
struct UnavailablePlace: SecretPlace {
  let address: SharedAddress

  func read(_ path: String) throws(SDKError) -> JSONObject? { throw failure(path) }

  func write(_ members: JSONObject, to path: String) throws(SDKError) { throw failure(path) }

  func remove(_ path: String) throws(SDKError) { throw failure(path) }

  func proveWritable(_ path: String) throws(SDKError) { throw failure(path) }

  func title(of path: String) -> String { "\(path) in \(address)" }

  private func failure(_ path: String) -> SDKError {
    SDKError(.unavailable, "could not use '\(title(of: path))': \(address.unavailability)")
  }
}

extension SharedAddress {
  /// Why a program cannot reach it that can reach others.
  var unavailability: String {
    switch kind {
    case .etcd: "the store was opened without a network"
    case .program(let name): "this program does not bring the store '\(name)'"
    }
  }
}
