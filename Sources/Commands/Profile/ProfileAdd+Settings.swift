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

  /// The settings that options give.
  static func settings(_ arguments: Arguments) -> [(key: String, value: String?)] {
    [
      ("issuer", arguments.issuer), ("resourceURL", arguments.resourceURL),
      ("clientID", arguments.clientID), ("scope", arguments.scope),
      ("caFile", arguments.caFile),
      ("insecureLoopback", arguments.insecureLoopback ? "true" : nil),
    ]
  }
}
