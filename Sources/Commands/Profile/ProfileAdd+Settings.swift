import HTTP
import OAuth
import Primitives
import SDKCore

extension ProfileAdd {
  /// Refuses the name of a profile that exists, before a server or a person is asked.
  static func requireAbsent(_ arguments: Arguments, _ context: Context) throws {
    let name = try ProfileName(arguments.name)
    let store = try context.store()
    do throws(SDKError) {
      try store.requireAbsent(name)
    } catch {
      var failure = context.failure(error)
      let given = settings(arguments).compactMap { key, value in
        value.map { "\(key)=\(ShellWord.quoted($0))" }
      }
      let program = ShellWord.sdkctl(of: name)
      failure.hints =
        ["\(program) profile \(given.isEmpty ? "show" : "set " + given.joined(separator: " "))"]
        + (arguments.pin ? ["\(program) pin add"] : [])
      throw failure
    }
  }

  static func settings(_ arguments: Arguments) -> [(key: String, value: String?)] {
    [
      ("issuer", arguments.issuer), ("resourceURL", arguments.resourceURL),
      ("clientID", arguments.clientID), ("scope", arguments.scope),
      ("caFile", arguments.caFile),
      ("insecureLoopback", arguments.insecureLoopback ? "true" : nil),
    ]
  }
}

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
