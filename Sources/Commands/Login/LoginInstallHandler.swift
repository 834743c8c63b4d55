import Arguments
import JSON
import OAuth
import POSIX
import Primitives
import SDKCore

enum LoginInstallHandler: Command {
  static let page = CommandInfo(
    name: "install-handler", summary: "Register a URL scheme with the desktop",
    description: """
      Registers {login respond} with the desktop for a URL scheme: it writes \
      `applications/sdkctl-SCHEME.desktop` in `$XDG_DATA_HOME` (`~/.local/share`), and makes it \
      the default with {xdg-mime(1)}. Without SCHEME, the scheme of the profile's registered \
      redirect URI is used (see {register}). `--remove` undoes both.

      If SDKCTL_HOME is set, the desktop entry sets it too.
      """,
    examples: [
      ("sdkctl login install-handler", "Register the scheme of the profile"),
      ("sdkctl login install-handler --remove com.example.app", "Undo that"),
    ],
    exitCodes: [4], seeAlso: ["login", "login respond", "register"],
    output: rows.document)

  private static let rows = Rows<(handler: SchemeHandler, isInstalled: Bool)>(
    .member("scheme", "the scheme") { $0.handler.scheme },
    .member("file", "the desktop entry") { $0.handler.path },
    .member("installed", "whether it is there now") { $0.isInstalled })

  struct Arguments: CommandArguments {
    var scheme: String?
    var remove = false
  }

  static let options: [Option<Arguments>] = [
    .flag("remove", \.remove, "Undo the registration")
  ]

  static let operands: [Operand<Arguments>] = [
    .optional("SCHEME", \.scheme, "The scheme; by default that of the redirect URI") {
      (text) throws(ValueError) in
      // As a whole: what follows a colon would be part of the path.
      guard let uri = RedirectURI(text + ":/"), uri.kind?.usesScheme == true, uri.scheme == text
      else {
        throw ValueError("expected the scheme of an app, such as com.example.app")
      }
      return text
    }
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    var scheme = arguments.scheme ?? ""
    if arguments.scheme == nil { scheme = try await registered(context) }
    let handler = try SchemeHandler(scheme, context.environment.forHelpers)
    if arguments.remove {
      try await handler.remove()
    } else {
      try await handler.install()
    }
    let done = arguments.remove ? "is no longer handled" : "is handled by \(handler.path)"
    context.report((handler, !arguments.remove), rows, "the scheme \(scheme) \(done)")
  }

  private static func registered(_ context: Context) async throws -> String {
    let session = try context.session()
    let name = session.profile.name
    let registration = try await session.registration.current()
    guard let uri = registration?.schemeRedirectURI, let scheme = RedirectURI(uri)?.scheme else {
      throw Failure(
        .invalidConfiguration,
        "could not choose a scheme: '\(name)' has registered no redirect URI with one",
        hints: [Remedy.register(.init(.replacing, redirectURI: .ownScheme)).commandLine(for: name)])
    }
    return scheme
  }
}
