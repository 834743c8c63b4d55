import Primitives
import UAF

extension SDKError {
  /// The error of a status that is not a success; `nil` for a success.
  init?(_ status: UAFStatus, from host: String, saying description: String = "") {
    let code: Code
    var (resource, remedy): (ResourceError?, Remedy?)
    switch status {
    case .ok: return nil
    case .accepted: code = .busy
    case .unauthorized: code = .notAuthenticated
    case .unknownKeyID: (code, remedy) = (.notRegistered, .registerFIDO)
    case .requestTimeout: code = .network
    case .internalServerError: (code, resource) = (.network, .serverNotReachable)
    default: code = .refused
    }
    let said = description.isEmpty ? "" : "; it says: \(description)"
    self.init(
      code, cause: "\(host): \(status.meaning) (\(status.rawValue))\(said)", resource: resource,
      subject: host, remedy: remedy)
  }
}
