import Arguments
import JOSE
import JSON
import POSIX
import SDKCore

/// `sdkctl token decode` -- print the contents of a JWT.
enum TokenDecode: Command {
  static let page = CommandInfo(
    name: "decode", summary: "Print the contents of a JWT",
    description: """
      Decodes JSON Web Tokens (RFC 7519), one per line, of a file or standard input (`-`), \
      without using the network: `sdkctl token decode token.jwt`. Without FILE it decodes the \
      stored access token of the profile, or with `--id-token` the ID token. The tokens are not \
      verified, and the output says so. The signature is not printed.
      """,
    examples: [
      ("sdkctl token decode", "Print the contents of the stored token"),
      ("sdkctl token decode --json token.jwt | jq .payload.sub", "Print one claim"),
      ("pbpaste | sdkctl token decode -", "Decode a token from elsewhere"),
    ],
    exitCodes: [3, 4], seeAlso: ["token"],
    json: """
      One object per token, one per line: `header`, `payload`, `signature` (`status`, always \
      `not-checked`, `alg`, `kid`) and `times` (`iat`, `nbf` and `exp` as ISO 8601, if they exist).
      """)

  struct Arguments: Sendable {
    var file: String?
    var slot = CredentialSlot.user
    var idToken = false
  }

  static let defaults = Arguments()

  static let options: [Option<Arguments>] =
    CredentialSlot.options(\.slot, "Decode") + [
      .flag("id-token", nil, \.idToken, "Decode the stored ID token")
    ]

  static let operands: [Operand<Arguments>] = [
    .optional("FILE", \.file, "The file with the tokens, or -").completing(.file)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    guard let file = arguments.file else {
      return try show(try stored(arguments, context), try opaqueHints(arguments, context), context)
    }
    guard !file.isEmpty else { throw .usage("the name of the file is empty") }
    var isEmpty = true
    do {
      var lines = try LineReader(operand: file, context.input, limit: JWS.maximumByteCount)
      while let line = try lines.next() {
        let token = line.trimmingSpaces
        if token.isEmpty { continue }
        isEmpty = false
        try show(String(decoding: token, as: UTF8.self), [], context)
      }
    } catch let error as SystemError {
      throw Failure(.failure, "input_unreadable", "could not read the token: \(error)")
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(.failure, "input_unreadable", "could not read the token")
    }
    if isEmpty {
      throw Failure(.failure, "input_empty", "could not decode the token: the input is empty")
    }
  }

  private static func show(
    _ text: String, _ hints: [String], _ context: Context
  ) throws(Failure) {
    let token = try decoded(text, hints)
    if context.globals.json {
      context.print(token.json, .compact)
    } else {
      context.output.write(token.text(at: context.now()))
    }
  }

  private static func stored(
    _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> String {
    let session = try context.session()
    let tokens = try translating(session.profile.name) { () throws(SDKError) in
      try session.tokens.stored(in: arguments.slot)
    }
    let token = arguments.idToken ? tokens?.idToken : tokens?.accessToken
    guard let token else {
      throw Failure(
        .authenticationRequired, "not_authenticated",
        "could not decode the token: '\(session.profile.name)' holds none",
        hints: [Remedy.login(.init(arguments.slot)).commandLine(for: session.profile.name)])
    }
    return token
  }

  /// What tells something about a stored token that is opaque.
  private static func opaqueHints(
    _ arguments: Arguments, _ context: Context
  ) throws(Failure) -> [String] {
    let command = "sdkctl -p \(try context.profileName()) token"
    let slot = arguments.slot
    return slot == .user
      ? ["\(command) --json", "\(command) userinfo"] : ["\(command) --json\(slot.option)"]
  }

  private static func decoded(
    _ text: String, _ hints: [String]
  ) throws(Failure) -> DecodedToken {
    // Three parts are a signed token, five an encrypted one (RFC 7515, RFC 7516).
    guard [2, 4].contains(text.utf8.count { $0 == UInt8(ascii: ".") }) else {
      throw Failure(
        .failure, "not_a_jwt",
        "could not decode the token: it is not a JWT; only the server can read an opaque token",
        hints: hints)
    }
    do {
      return DecodedToken(try JWT(text))
    } catch {
      throw Failure(.failure, "not_a_jwt", "could not decode the token: \(error.message)")
    }
  }
}

extension [UInt8] {
  fileprivate var trimmingSpaces: Self {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    return Array(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
