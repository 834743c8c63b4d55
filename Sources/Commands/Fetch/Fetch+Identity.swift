import Arguments
import SDKCore

extension Fetch {
  /// `--identity` and `--no-identity`.
  static let identityOptions: [Option<Arguments>] = [
    .value(
      "identity", nil, "NAME", \.identity, "Show this identity to servers that ask for one"
    ) { (text) throws(ValueError) in
      do {
        return .named(try IdentityName(text))
      } catch {
        throw ValueError("expected the name of an identity")
      }
    }
    .exclusive("identity"),
    .flag("no-identity", nil, \.identity, setting: .none, "Show no identity, and obtain none")
      .exclusive("identity"),
  ]
}
