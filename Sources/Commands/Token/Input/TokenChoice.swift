import Arguments
import JOSE
import POSIX
import Primitives
import SDKCore

/// Which token a command is about: that of a file or of standard input, or a stored one.
struct TokenChoice: Sendable, Hashable {
  /// The file, or `-` for standard input; `nil` for a stored token.
  var file: String?
  /// The slot of a stored token; `nil` if no option names one.
  var slot: CredentialSlot?
  var idToken = false
  /// Whether it is a refresh token, wherever it is.
  var refreshToken = false

  /// Which of the tokens of a slot or of a token response is meant.
  var kind: StoredToken.Kind { refreshToken ? .refresh : idToken ? .id : .access }
}

extension Operand {
  /// The file with a token, which is not beside an option that names a stored one.
  static func tokenFile(_ name: String, _ path: any Path<String?>, _ summary: String) -> Self {
    .optional(name, path, summary).completing(.file).input()
      .replaced(by: "user", "implicit", "anonymous", "id-token")
  }
}

/// The chosen token, or the tokens of a file.
struct TokenSource {
  /// The stored token; `nil` for those of a file.
  var stored: StoredToken?
  let stream: TokenStream
}

/// Finds the token that a command is about: the one rule of all commands that read tokens.
struct TokenReader {
  /// What the pages of these commands say of the rule.
  static let rule = """
    If standard input is a pipe or a file, a stored token is used only if an option such as `--user` names \
    it; `-` is the token on standard input.
    """

  /// The sub-verb: `verify`.
  let verb: String
  /// The verb of errors, if it is another one: `examine`.
  let action: String
  let context: Context

  init(_ page: CommandInfo, to action: String? = nil, _ context: Context) {
    verb = page.name
    self.action = action ?? page.name
    self.context = context
  }

  /// Opens the file of the choice, or reads the stored token, without using the network.
  ///
  /// If standard input is a pipe or a file that nothing reads, the table of commands requires that it is named.
  func source(
    _ choice: TokenChoice, in session: ProfileSession? = nil
  ) async throws -> TokenSource {
    if let file = choice.file { return try await source(file) }
    let session = if let session { session } else { try context.session() }
    let stored = try await StoredToken(choice.slot ?? .user, choice.kind, to: action, session)
    return TokenSource(stored: stored, stream: TokenStream(stored.found))
  }

  /// The tokens of a file or of standard input; at a terminal a person pastes them, with no limit of a line and
  /// without showing them.
  func source(_ file: String) async throws -> TokenSource {
    guard file == "-", context.terminal.isTerminal(.input) else {
      return TokenSource(stream: try TokenStream(file, context))
    }
    do throws(TerminalError) {
      let text = try await context.terminal.readPaste("Paste the token, and press Enter: ")
      return TokenSource(stream: TokenStream(pasted: text))
    } catch {
      throw error.error("could not \(action) the token", withoutTerminal: .localData)
    }
  }

  /// The tokens of a command that takes one token or one token response.
  func tokens(of source: TokenSource) throws -> [FoundToken] {
    let found: [FoundToken]
    do {
      found = try source.stream.found()
    } catch let error as JOSEError {
      throw Failure.unreadableToken(error, to: action)
    }
    guard !found.isEmpty else {
      throw source.stream.single == nil
        ? Failure.noToken(to: action) : Failure.emptyInput(to: action)
    }
    guard found.count == 1 || TokenText.isResponse(found) else {
      throw Failure.usage(
        "could not \(action) the token: the input has more than one",
        hints: ["sdkctl token decode FILE"])
    }
    return found
  }
  func requireJWT(
    _ token: FoundToken, of source: TokenSource, exit: ExitCode = .failure
  ) throws {
    if token.isJWT { return }
    guard let stored = source.stored else {
      throw Failure.notJWT(token, to: action, exit: exit)
    }
    throw Failure.notJWT(to: action, exit: exit, hints: stored.hints)
  }
}
