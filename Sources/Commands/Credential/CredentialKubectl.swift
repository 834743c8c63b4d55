import Arguments
import HTTP
import JSON
import POSIX
import Primitives
import SDKCore

enum CredentialKubectl: Command {
  static let page = CommandInfo(
    name: "kubectl", summary: "Act as a credential plugin for kubectl",
    description: """
      Prints an ExecCredential, the response of a credential plugin of Kubernetes clients: \
      `sdkctl credential kubectl`. The version is that of KUBERNETES_EXEC_INFO (`v1` or `v1beta1`), \
      by default `client.authentication.k8s.io/v1`. `sdkctl credential kubectl install` prints the \
      command that configures the user `sdkctl-PROFILE`.

      A cluster that trusts an OpenID provider expects the ID token: use `--id-token`. If kubectl \
      tells the cluster, because the kubeconfig has `provideClusterInfo: true` for the user, the \
      profile must allow its host. With `--interactive` the user is logged in by browser if there \
      is no login, unless kubectl says that it is not interactive.
      """,
    examples: [
      ("sdkctl credential kubectl install --id-token", "Print the configuration"),
      (
        "sdkctl credential kubectl install | sh && kubectl --user=sdkctl-work get pods",
        "Write it, and use it"
      ),
      (
        "sdkctl credential kubectl install --identity alice --no-token",
        "Use a client certificate"
      ),
    ],
    seeAlso: ["credential", "token", "identity"],
    output: ExecCredential.rows.document,
    needs: .session)

  struct Arguments: CommandArguments {
    var action: String?
    var identity: IdentityName?
    var noToken = false
    var selection = TokenSelection()
  }

  static let options: [Option<Arguments>] =
    [
      .value("identity", "NAME", \.identity, "Hand out this client certificate and its key")
        .completing(.dynamic("identities")),
      .flag("no-token", \.noToken, "Hand out no token, only the certificate")
        .needs("identity").excludes(["id-token"] + TokenSelection.otherThanUser),
    ] + TokenSelection.ofHelpers(idToken: "Use the user's ID token").of(\.selection)

  static let operands: [Operand<Arguments>] = [
    .installation(\.action)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if arguments.action != nil { return try install(arguments, context) }
    let request = try ExecRequest(context.environment["KUBERNETES_EXEC_INFO"])
    let helper = try CredentialHelper(context, mayAsk: request.isInteractive)
    if let server = request.server, !helper.allows(server.origin) {
      throw helper.notAllowed(server)
    }
    var credential = ExecCredential(version: request.version)
    // First what fails without a request.
    if let name = arguments.identity { try credential.add(try await helper.identity(name)) }
    if !arguments.noToken {
      let token = try await helper.bearer(arguments.selection)
      credential.add(token.text, expires: token.expires)
    }
    context.print(ExecCredential.rows.json(credential))
  }

  private static func install(_ arguments: Arguments, _ context: Context) throws {
    let profile = try context.session().profile.name
    var words = ["credential", "kubectl"] + arguments.selection.words
    if let name = arguments.identity { words += ["--identity", name.description] }
    if arguments.noToken { words.append("--no-token") }
    let command = try HelperCommandLine(words, of: profile, in: context)
    let user = "sdkctl-\(profile)"
    var set = ["kubectl", "config", "set-credentials", user, "--exec-command=\(command.words[0])"]
    // Every kubectl since 1.11 knows this version, and newer ones need no further setting for it.
    set.append("--exec-api-version=client.authentication.k8s.io/v1beta1")
    set += command.words.dropFirst().map { "--exec-arg=\($0)" }
    if let store = command.store { set.append("--exec-env=SDKCTL_HOME=\(store)") }
    context.print(ShellWord.line(set))
    context.note("select the user with `kubectl config set-context --current --user=\(user)`")
  }
}
