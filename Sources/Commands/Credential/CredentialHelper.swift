import Arguments
import HTTP
import POSIX
import Primitives
import SDKCore

/// What all credential helpers do: get a token, for a server that may have it.
struct CredentialHelper {
  let session: ProfileSession
  let context: Context

  /// Opens the profile; a login is shown on the terminal only.
  init(_ context: Context, mayAsk: Bool = true) throws {
    self.context = context.forHelper(mayAsk: mayAsk)
    session = try self.context.session()
  }

  var profile: ProfileName { session.profile.name }

  /// A valid access token.
  func token(_ selection: TokenSelection) async throws -> TokenSet {
    let tokens = try await attended(selection).token(in: session, context)
    guard !tokens.isBound else {
      throw Failure(
        .policy,
        "could not return the token: it is bound to a key, which the other program does not have")
    }
    return tokens
  }

  /// A valid token of the chosen kind, for a program that knows only bearer tokens.
  func bearer(_ selection: TokenSelection) async throws -> (text: String, expires: Timestamp?) {
    guard selection.idToken else {
      let tokens = try await token(selection)
      return (tokens.accessToken, tokens.expires)
    }
    let token = try await attended(selection).idToken(in: session, context)
    return (token.text, token.expires)
  }

  /// The selection, without a login if there must be no questions.
  private func attended(_ selection: TokenSelection) -> TokenSelection {
    var selection = selection
    if context.environment.forbidsQuestions { selection.interactive = false }
    return selection
  }

  /// Whether the profile allows its credentials at the server that the other program names.
  func allows(_ server: String) -> Bool {
    session.profile.allowsCredential(toServerNamed: server)
  }

  /// The error for a server that the profile does not allow.
  func notAllowed(_ server: HTTPURL) -> Failure {
    let authority = server.authority
    return Failure(
      .policy,
      "could not return the token: '\(profile)' does not allow its credentials at \(authority)",
      hints: session.profile.remedy(allowing: server)?.commandLines(for: profile) ?? [])
  }

  /// The error for a program that is to be configured for no server at all.
  static func noServer(for program: String, _ profile: ProfileName) -> Failure {
    Failure(
      .invalidConfiguration,
      "could not configure \(program): '\(profile)' allows its credentials at no server",
      hints: [ShellWord.sdkctl(of: profile, "profile", "set", "allowedHosts=HOST")])
  }
}

extension Context {
  /// The context of a helper: what a person must see goes to the terminal, because the program
  /// that runs the helper reads standard output and may hide standard error.
  fileprivate func forHelper(mayAsk: Bool) -> Context {
    deriving { globals, ports in
      if !mayAsk {
        ports.environment["SDKCTL_PROMPT"] = "never"
        ports.terminal = ports.terminal.withoutQuestions
      }
      guard let output = ports.terminal.openOutput() else {
        globals.quiet = true
        return
      }
      ports.errors = output
      // A person sees the messages, whatever standard error is.
      ports.terminal.isTerminal = { [isTerminal = ports.terminal.isTerminal] stream in
        stream == .errors || isTerminal(stream)
      }
    }
  }
}

extension Operand {
  /// The action `install`; `nil` for the credentials.
  static func installation(_ path: any Path<String?>) -> Self {
    .optional("ACTION", path, "install: print the configuration") {
      (text) throws(ValueError) in
      guard text == "install" else { throw ValueError("expected install") }
      return text
    }
    .completing(.choices(["install"]))
  }
}
