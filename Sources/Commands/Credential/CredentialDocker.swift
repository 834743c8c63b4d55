import Arguments
import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

enum CredentialDocker: Command {
  static let page = CommandInfo(
    name: "docker", summary: "Act as a credential helper for docker",
    description: """
      Implements the protocol of docker's credential helpers. Docker runs a helper by the name \
      `docker-credential-NAME` in PATH: `sdkctl credential docker install` prints such a script and \
      the `credHelpers` of docker's configuration, one for each server of the profile. The \
      configuration is `$DOCKER_CONFIG/config.json` (`~/.docker`).

      `get` returns the access token as the password, with the user name of `--username`; GitLab \
      expects `oauth2`, and Google's registries expect `oauth2accesstoken`. `list` prints the \
      servers of the profile. `store` and `erase` fail, because the credential is the login of the \
      profile: use {login} and {logout}. As the protocol requires, errors are on standard output \
      and the exit status is 1.
      """,
    examples: [
      ("sdkctl credential docker install", "Print the configuration"),
      ("echo https://registry.example.com | sdkctl credential docker get", "See what docker gets"),
    ],
    seeAlso: ["credential", "token"],
    needs: .session)

  enum Action: String, CaseIterable, Sendable { case get, store, erase, list, version, install }

  struct Arguments: CommandArguments {
    var action = Action.get
    var username = "oauth2"
    var selection = TokenSelection()
  }

  static let options: [Option<Arguments>] =
    [.username(\.username, "The user name for the registry")]
    + TokenSelection.ofUser.of(\.selection)

  static let operands: [Operand<Arguments>] = [
    .choice("ACTION", \.action, "What docker asks for, or install")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if arguments.action == .install {
      return try install(arguments, context)
    }
    do {
      try await perform(arguments, context)
    } catch {
      // Docker shows what is on standard output, and looks for its own messages there.
      let failure = context.failure(error)
      context.print(([failure.message] + failure.hints).joined(separator: "; "))
      throw Failure.silent(.failure)
    }
  }

  private static func perform(_ arguments: Arguments, _ context: Context) async throws {
    switch arguments.action {
    case .get: try await get(arguments, context)
    case .list:
      let helper = try CredentialHelper(context)
      let names = helper.session.profile.credentialOrigins.map {
        ($0, JSON.string(arguments.username))
      }
      context.output.write(JSON.object(JSONObject(names)).serialized() + "\n")
    case .version: context.print("docker-credential-sdkctl (sdkctl) \(Version.text)")
    case .store:
      throw Failure(.unsupported, "sdkctl does not store passwords: use `sdkctl login`")
    case .erase, .install:
      throw Failure(.unsupported, "sdkctl stores no passwords: use `sdkctl logout`")
    }
  }

  private static func get(_ arguments: Arguments, _ context: Context) async throws {
    let bytes = try context.read("-", "the request of docker", limit: 1 << 16)
    // The protocol's own programs trim what they read.
    let address = String(decoding: bytes.trimmingSpace, as: UTF8.self)
    guard !address.isEmpty else {
      throw Failure(.usage, exit: .failure, "no credentials server URL")
    }
    let helper = try CredentialHelper(context)
    guard helper.allows(address.containsText("://") ? address : "https://\(address)") else {
      throw Failure(.noSuchKey, "credentials not found in native keychain")
    }
    let tokens = try await helper.token(arguments.selection)
    let response: JSON = [
      "ServerURL": .string(address), "Username": .string(arguments.username),
      "Secret": .string(tokens.accessToken),
    ]
    context.output.write(response.serialized() + "\n")
  }
  /// Prints the script and the configuration by which docker finds the helper.
  private static func install(_ arguments: Arguments, _ context: Context) throws {
    let session = try context.session()
    let profile = session.profile.name
    var words = ["credential", "docker"] + arguments.selection.words
    if arguments.username != Arguments().username { words += ["--username", arguments.username] }
    let command = try HelperCommandLine(words, of: profile, in: context)
    let registries = session.profile.credentialOrigins.compactMap { (try? HTTPURL($0))?.authority }
    guard !registries.isEmpty else { throw CredentialHelper.noServer(for: "docker", profile) }
    context.note("the script docker-credential-sdkctl-\(profile), in PATH and with mode 0755:")
    context.write(document: command.script)
    context.note("in docker's config.json:")
    // The configuration names the helper without `docker-credential-`.
    let helpers = JSONObject(registries.map { ($0, JSON.string("sdkctl-\(profile)")) })
    context.print(["credHelpers": .object(helpers)], .pretty)
  }
}
