import Arguments
import JOSE
import JSON
import POSIX
import SDKCore

/// `sdkctl token decode` -- show what is in a JWT.
enum TokenDecode: Command {
  static let page = Page(
    name: "decode", summary: "Show what is in a JWT",
    description: """
      Decodes JSON Web Tokens (RFC 7519), one a line, from a file or standard input (`-`), \
      without a look at the network. Without FILE, the stored access token of the profile is \
      decoded, or with `--id-token` its ID token. Nothing is verified, and the output says so; \
      the signature itself is not shown.
      """,
    examples: [
      ("sdkctl token decode", "See the stored token"),
      ("sdkctl token decode --json token.jwt | jq .payload.sub", "Take out a claim"),
      ("pbpaste | sdkctl token decode -", "Decode a token from elsewhere"),
    ],
    exitCodes: [3, 4], seeAlso: ["token"],
    json: """
      One object a token, one a line: `header`, `payload`, `signature` (`status`, always \
      `not-checked`, `alg`, `kid`) and `times` (`iat`, `nbf`, `exp` as ISO 8601, those there are).
      """)

  struct Arguments: Sendable {
    var file: String?
    var slot = CredentialSlot.user
    var idToken = false
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] = [
    .choice("slot", nil, "SLOT", \.slot, "Whose token: user (default), implicit or device"),
    .flag("id-token", nil, \.idToken, "Decode the stored ID token"),
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("FILE", \.file, "A file with tokens, or -").completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    for token in try tokens(arguments, context) {
      let token = try decoded(token)
      if context.globals.json {
        context.print(token.json.serialized())
      } else {
        context.output.write(token.text(at: context.now()))
      }
    }
  }

  private static func tokens(
    _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> [String] {
    guard let file = arguments.file else { return [try stored(arguments, context)] }
    guard !file.isEmpty else { throw .usage("the name of the file is empty") }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try context.input.readOperand(file, limit: limit)
    } catch {
      throw Failure(.failure, "input_unreadable", "could not read the token: \(error)")
    }
    let lines = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let texts = lines.map { String(decoding: $0, as: UTF8.self).trimmingSpaces }
    let tokens = texts.filter { !$0.isEmpty }
    guard !tokens.isEmpty else {
      throw Failure(.failure, "input_empty", "could not decode the token: the input is empty")
    }
    return tokens
  }

  private static func stored(
    _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> String {
    let session = try context.session()
    let tokens = try translating(session.profile.name) { () throws(SDKError) in
      try session.tokens(in: arguments.slot)
    }
    let token = arguments.idToken ? tokens?.idToken : tokens?.accessToken
    guard let token else {
      throw Failure(
        .authenticationRequired, "not_authenticated",
        "could not decode the token: '\(session.profile.name)' holds none",
        hints: ["sdkctl -p \(session.profile.name) \(arguments.slot.login)"])
    }
    return token
  }

  private static func decoded(_ text: String) throws(Failure) -> DecodedToken {
    do {
      return DecodedToken(try JWT(text))
    } catch {
      throw Failure(.failure, "not_a_jwt", "could not decode the token: \(error.message)")
    }
  }

  private static let limit = 64 << 20
}

extension String {
  fileprivate var trimmingSpaces: String {
    let kept = drop { $0 == " " || $0 == "\t" }
    return String(kept.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

extension CredentialSlot {
  /// The command that fills it.
  fileprivate var login: String {
    switch self {
    case .user: "login"
    case .implicit: "login --implicit"
    case .device: "login --anonymous"
    }
  }
}
