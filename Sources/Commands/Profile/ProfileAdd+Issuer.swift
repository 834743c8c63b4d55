import HTTP
import OAuth
import SDKCore

extension ProfileAdd {
  /// The issuer that the resource names, if it names one and a person takes it.
  static func found(
    _ text: String, _ arguments: Arguments, _ context: Context
  ) async throws -> String? {
    guard let url = try? HTTPURL(text) else { return nil }
    let discovery = ResourceDiscovery(
      try context.options(caFile: arguments.caFile), over: context.network)
    let resource: ProtectedResource
    do throws(SDKError) {
      resource = try await discovery.find(url)
    } catch {
      context.warning(error.message)
      return nil
    }
    guard let issuer = resource.authorizationServers.first else { return nil }
    for server in resource.authorizationServers {
      context.note("\(url) takes tokens of \(server)")
    }
    if !resource.scopes.isEmpty {
      context.note("its scopes: \(resource.scopes.joined(separator: " "))")
    }
    guard arguments.yes || context.isInteractive else {
      throw Failure.usage(
        "--issuer is missing", hints: ["take the one that the resource names with --yes"])
    }
    try await context.confirm("Use \(issuer)?", isAgreed: arguments.yes)
    return issuer.text
  }
}
