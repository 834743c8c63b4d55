import Arguments
import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

/// `sdkctl credential bazel` -- a credential helper of Bazel and other build tools.
enum CredentialBazel: Command {
  static let page = CommandInfo(
    name: "bazel", summary: "Be a credential helper of Bazel",
    description: """
      Implements the protocol of Bazel's credential helpers (the option `credential_helper` of Bazel 7), \
      which other tools use too. `get` reads a request such as `{"uri": "https://HOST/PATH"}` from standard input and \
      prints the header field with the access token, and when the token expires; Bazel keeps it so long. \
      `grpcs` is treated as `https`. For a server that the profile does not allow it fails.

      Bazel runs a program without other words than `get`: `sdkctl credential bazel install` prints \
      such a script, and the lines of `.bazelrc`, one for each server of the profile.
      """,
    examples: [
      ("sdkctl credential bazel install", "Print the script and the configuration"),
      (
        "echo '{\"uri\": \"https://cache.example.com/\"}' | sdkctl credential bazel get",
        "See what Bazel gets"
      ),
    ],
    exitCodes: [3, 4, 5, 6, 7, 8, 9, 10, 11, 14], seeAlso: ["credential", "token"],
    json: "The response of the protocol, with `--json` or without.",
    needs: .network)

  /// What Bazel asks for, and `install`.
  enum Action: String, CaseIterable, Sendable { case get, install }

  struct Arguments: HelperArguments {
    var action = Action.get
    var selection = TokenSelection()
  }

  static let options: [Option<Arguments>] = Option.ofHelpers

  static let operands: [Operand<Arguments>] = [
    .choice("ACTION", \.action, "What Bazel asks for, or install")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    switch arguments.action {
    case .get: try await get(arguments, context)
    case .install: try install(arguments, context)
    }
  }

  private static func get(_ arguments: Arguments, _ context: Context) async throws {
    let server = try server(context)
    let helper = try CredentialHelper(context)
    guard helper.allows(server.origin) else { throw helper.notAllowed(server) }
    let tokens = try await helper.token(arguments.selection)
    context.print(
      .members([
        "headers": ["Authorization": [.string("Bearer \(tokens.accessToken)")]],
        "expires": tokens.expires.map { .string($0.description) },
      ]))
  }

  /// The server that a request names; members that are not known are ignored, as the protocol requires.
  private static func server(_ context: Context) throws -> HTTPURL {
    let bytes = try context.read("-", "the request of Bazel", limit: 1 << 16)
    let failure = { (cause: String) in
      Failure(.failure, "input_invalid", "could not read the request of Bazel: \(cause)")
    }
    let request: JSON
    do throws(JSONError) {
      request = try JSON(parsing: bytes)
    } catch {
      throw failure("it is not JSON: \(error)")
    }
    guard let text = request["uri"]?.string else { throw failure("it has no text 'uri'") }
    let address = text.hasPrefix("grpcs://") ? "https://\(text.dropFirst(8))" : text
    do throws(HTTPURLError) {
      return try HTTPURL(address)
    } catch {
      throw failure("'uri': \(error)")
    }
  }

  /// Prints the script and the lines by which Bazel finds the helper.
  private static func install(_ arguments: Arguments, _ context: Context) throws {
    let session = try context.session()
    let profile = session.profile.name
    let command = try HelperCommandLine(
      ["credential", "bazel"] + arguments.selection.words, of: profile, in: context)
    // Bazel knows hosts, not ports.
    var hosts: [String] = []
    for host in session.profile.credentialOrigins.compactMap({ (try? HTTPURL($0))?.host })
    where !hosts.contains(host) { hosts.append(host) }
    guard !hosts.isEmpty else { throw CredentialHelper.noServer(for: "Bazel", profile) }
    context.note("the script bazel-credential-sdkctl-\(profile), in PATH and with mode 0755:")
    context.write(document: command.script)
    context.note("in .bazelrc:")
    for host in hosts {
      context.print("common --credential_helper=\(host)=bazel-credential-sdkctl-\(profile)")
    }
  }
}
