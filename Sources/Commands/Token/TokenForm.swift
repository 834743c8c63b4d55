import JSON
import POSIX
import SDKCore

/// How a token is printed for another program.
enum TokenForm: Sendable {
  case bare, header, curl
  case environment(Shell)

  /// Whose syntax the assignments have.
  enum Shell: String, CaseIterable, Sendable { case sh, fish, powershell }

  /// Whether it is what a request carries.
  var isHeader: Bool {
    switch self {
    case .header, .curl: true
    case .bare, .environment: false
    }
  }

  /// The lines for tokens of a profile, with the proof that a bound one needs.
  func lines(_ tokens: TokenSet, proof: String? = nil, of profile: Profile) -> [String] {
    let fields =
      ["Authorization: \(tokens.tokenType) \(tokens.accessToken)"]
      + (proof.map { ["DPoP: \($0)"] } ?? [])
    return switch self {
    case .bare: [tokens.accessToken]
    case .header: fields
    // A token is visible ASCII, of which only these two mean something to curl's parser.
    case .curl: fields.map { "header = \"\($0.escaping("\\", "\""))\"" }
    case .environment(let shell):
      Self.variables(tokens, of: profile).map { shell.assignment($0.name, $0.value) }
    }
  }

  private static func variables(
    _ tokens: TokenSet, of profile: Profile
  ) -> [(name: String, value: String)] {
    let variables: [(name: String, value: String?)] = [
      ("SDKCTL_ACCESS_TOKEN", tokens.accessToken), ("SDKCTL_TOKEN_TYPE", tokens.tokenType),
      ("SDKCTL_TOKEN_EXPIRES", tokens.expires.map { Timestamp($0).description }),
      ("SDKCTL_ISSUER", profile["issuer"]?.string),
      ("SDKCTL_RESOURCE_URL", profile["resourceURL"]?.string),
    ]
    return variables.compactMap { row in row.value.map { (row.name, $0) } }
  }
}

extension TokenForm.Shell {
  fileprivate func assignment(_ name: String, _ value: String) -> String {
    switch self {
    case .sh: "export \(name)=\(ShellWord.quoted(value))"
    case .fish: "set -gx \(name) '\(value.escaping("\\", "'"))'"
    case .powershell: "$Env:\(name) = '\(value.doubling("'"))'"
    }
  }
}

extension String {
  fileprivate func escaping(_ characters: Character...) -> String {
    String(flatMap { characters.contains($0) ? ["\\", $0] : [$0] })
  }

  fileprivate func doubling(_ character: Character) -> String {
    String(flatMap { $0 == character ? [$0, $0] : [$0] })
  }
}
