import HTTP
import JSON
import Primitives

/// What a Kubernetes client sends to its credential plugin (`KUBERNETES_EXEC_INFO`).
struct ExecRequest {
  /// The version of the response, which must be that of the request.
  let version: String
  /// Whether the plugin may ask the person.
  let isInteractive: Bool
  /// The server of the cluster, if the client names it.
  let server: HTTPURL?

  init(_ text: String?) throws {
    guard let text, !text.isEmpty else {
      version = Self.versions[0]
      isInteractive = true
      server = nil
      return
    }
    guard let document = try? JSON(parsing: text), document["kind"]?.string == "ExecCredential",
      let version = document["apiVersion"]?.string
    else { throw Self.unusable("it is not an ExecCredential") }
    guard Self.versions.contains(version) else {
      throw Self.unusable("the version '\(version)' is not supported")
    }
    self.version = version
    let spec = document["spec"]
    isInteractive = spec?["interactive"]?.bool ?? true
    guard let address = spec?["cluster"]?["server"]?.string else {
      server = nil
      return
    }
    guard let server = try? HTTPURL(address) else {
      throw Self.unusable("the server is not a URL")
    }
    self.server = server
  }

  private static let versions = [
    "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1",
  ]

  private static func unusable(_ cause: String) -> Failure {
    Failure(.usage, "usage", "could not read KUBERNETES_EXEC_INFO: \(cause)")
  }
}
