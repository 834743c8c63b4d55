import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

/// How a token is printed for another program.
enum TokenForm: Sendable, Hashable {
  case bare, header, curl
  /// The value of the field `Cookie` of a request to the resource URL.
  case cookie
  /// The cookies as a file in the format of Netscape and curl.
  case cookieJar
  case environment(Shell)

  /// Whose syntax the assignments have.
  enum Shell: String, CaseIterable, Sendable {
    case sh, bash, zsh, fish, powershell
    /// `NAME=VALUE` for a file of variables, as `docker --env-file` and systemd read it.
    case dotenv
    /// `NAME=VALUE` for the file $GITHUB_ENV of a job.
    case github
  }

  var isHeader: Bool {
    switch self {
    case .header, .curl: true
    case .bare, .environment, .cookie, .cookieJar: false
    }
  }

  /// The lines for tokens of a profile, with the proof that a bound one needs.
  func lines(_ tokens: TokenSet, proof: String? = nil, of profile: Profile) -> [String] {
    if case .environment(let shell) = self {
      return Self.variables(tokens, of: profile).map { shell.assignment($0.name, $0.value) }
    }
    return lines(
      tokens.accessToken,
      [Self.header(of: tokens)] + (proof.map { ["DPoP: \($0)"] } ?? []), of: profile)
  }

  /// The lines for a token that stands for itself, such as an ID token.
  func lines(bearer token: String, of profile: Profile) -> [String] {
    lines(token, ["Authorization: Bearer \(token)"], of: profile)
  }

  private func lines(_ token: String, _ fields: [String], of profile: Profile) -> [String] {
    switch self {
    case .bare, .environment, .cookie, .cookieJar: [token]
    case .header: fields
    case .curl: Self.curlLines(fields, of: profile)
    }
  }

  /// A configuration for curl: the header fields, and the authorities that the profile trusts.
  static func curlLines(_ fields: [String], of profile: Profile) -> [String] {
    let options = (profile.caFile.map { [("cacert", $0)] } ?? []) + fields.map { ("header", $0) }
    // Of what a token can have, only these two mean something to curl's parser.
    return options.map { name, value in "\(name) = \"\(value.escaping("\\", "\""))\"" }
  }

  /// The header field by which a request carries the access token.
  static func header(of tokens: TokenSet) -> String {
    "Authorization: \(tokens.tokenType) \(tokens.accessToken)"
  }

  /// The variables for a program that uses the tokens, as far as their values are known.
  static func variables(
    _ tokens: TokenSet, of profile: Profile
  ) -> [(name: String, value: String)] {
    let values = [
      tokens.accessToken, tokens.tokenType, tokens.expires?.description, profile["issuer"]?.string,
      profile.resourceURL?.description,
    ]
    return zip(variableNames, values).compactMap { name, value in value.map { (name, $0) } }
  }

  static let variableNames = [
    "SDKCTL_ACCESS_TOKEN", "SDKCTL_TOKEN_TYPE", "SDKCTL_TOKEN_EXPIRES", "SDKCTL_ISSUER",
    "SDKCTL_RESOURCE_URL",
  ]
}

extension TokenForm.Shell {
  func assignment(_ name: String, _ value: String) -> String {
    switch self {
    case .dotenv, .github: "\(name)=\(value)"
    case .sh, .bash, .zsh: "export \(name)=\(ShellWord.quoted(value))"
    case .fish: "set -gx \(name) '\(value.escaping("\\", "'"))'"
    // PowerShell takes typographic quotes for plain ones.
    case .powershell:
      "$Env:\(name) = '\(value.doubling("'", "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}"))'"
    }
  }
}

// By scalars, as the other programs read: a combining mark hides no quote from them.
extension String {
  func escaping(_ marks: Unicode.Scalar...) -> String {
    spelling { marks.contains($0) ? ["\\", $0] : [$0] }
  }

  fileprivate func doubling(_ marks: Unicode.Scalar...) -> String {
    spelling { marks.contains($0) ? [$0, $0] : [$0] }
  }

  private func spelling(_ spelled: (Unicode.Scalar) -> [Unicode.Scalar]) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars { scalars += spelled(scalar) }
    return String(scalars)
  }
}

/// The request that a proof of possession is for, as it is typed: `METHOD URL`.
struct ProofTarget: Sendable, Hashable {
  let method: HTTPMethod
  let url: HTTPURL

  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, let method = HTTPMethod(inAnyCase: String(words[0])),
      let url = try? HTTPURL(String(words[1]))
    else { return nil }
    self.method = method
    self.url = url
  }
}
