import Arguments
import JSON
import Primitives
import SDKCore

enum CredentialAWS: Command {
  static let page = CommandInfo(
    name: "aws", summary: "Act as a credential_process for AWS programs",
    description: """
      Exchanges a token for credentials of an AWS role (AssumeRoleWithWebIdentity), and prints them \
      as AWS programs expect it of their `credential_process`: \
      `sdkctl credential aws --role-arn arn:aws:iam::123456789012:role/deploy`. The account must \
      trust the issuer as an OpenID provider; most accept the ID token only: `--id-token`.

      The credentials are stored (mode 0600) until they expire, because the AWS CLI asks for them \
      in each run. {login} and {logout} erase them.

      The security token service gets the token, so the profile must allow its host, and the host \
      must be pinned: `sdkctl profile set allowedHosts=sts.amazonaws.com` and \
      `sdkctl pin add sts.amazonaws.com`. `--sts-url` names another one, such as that of a region \
      or a MinIO server.

      `sdkctl credential aws install --role-arn ARN` prints the command that configures the AWS \
      profile `sdkctl-PROFILE`.
      """,
    examples: [
      (
        "sdkctl credential aws install --id-token --role-arn arn:aws:iam::123456789012:role/deploy",
        "Print the configuration"
      )
    ],
    seeAlso: ["credential", "token"],
    output: SecurityTokenService.output,
    needs: .session)

  struct Arguments: CommandArguments {
    var action: String?
    var role = ""
    var sessionName = "sdkctl"
    var service = "https://sts.amazonaws.com"
    var duration = TimeSpan.hours(1)
    var selection = TokenSelection()
  }

  static let options: [Option<Arguments>] =
    [
      .value("role-arn", "ARN", \.role, "The role to assume")
    ] + TokenSelection.ofHelpers(idToken: "Present the user's ID token").of(\.selection)
    + .group(
      "Security token service",
      [
        .value("session-name", "NAME", \.sessionName, "The name of the session"),
        .value("duration", "SPAN", \.duration, "How long the credentials are valid"),
        .value("sts-url", "URL", \.service, "The security token service"),
      ])

  static let operands: [Operand<Arguments>] = [
    .installation(\.action)
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard !arguments.role.isEmpty else { throw missingRole(arguments) }
    if arguments.action != nil { return try install(arguments, context) }
    let helper = try CredentialHelper(context)
    let service = try SecurityTokenService(arguments, helper)
    context.print(.object(try await service.credentials()))
  }

  private static func missingRole(_ arguments: Arguments) -> Failure {
    let words = ["sdkctl credential aws", arguments.action].compactMap { $0 }
    return .usage(
      "--role-arn is missing",
      hints: [words.joined(separator: " ") + " --role-arn arn:aws:iam::ACCOUNT:role/ROLE"])
  }

  private static func install(_ arguments: Arguments, _ context: Context) throws {
    let profile = try context.session().profile.name
    var words = ["credential", "aws", "--role-arn", arguments.role] + arguments.selection.words
    if arguments.sessionName != Arguments().sessionName {
      words += ["--session-name", arguments.sessionName]
    }
    if arguments.service != Arguments().service { words += ["--sts-url", arguments.service] }
    if arguments.duration != Arguments().duration {
      words += ["--duration", arguments.duration.description]
    }
    let command = try HelperCommandLine(words, of: profile, in: context)
    // AWS programs start the command without a shell.
    let store = command.store.map { ["env", "SDKCTL_HOME=\($0)"] } ?? []
    let line = ShellWord.line(store + command.words)
    context.print(
      ShellWord.line(
        ["aws", "configure", "set", "--profile", "sdkctl-\(profile)", "credential_process", line]))
  }
}
