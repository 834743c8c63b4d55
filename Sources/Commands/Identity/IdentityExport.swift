import Arguments
import POSIX
import Primitives
import SDKCore

enum IdentityExport: Command {
  static let page = CommandInfo(
    name: "export", summary: "Print an identity for another program",
    description: """
      Writes an identity as PEM (the private key, then the chain) or as PKCS #12 to standard \
      output or into a file: `sdkctl identity export -o alice.p12`. A private key is \
      never written where others could read it.

      A PKCS #12 file gets a password, which is asked for on the terminal. In PEM, a password encrypts the key.

      `--curl` prints a configuration for `curl -K`, and `--env` variables for a shell: \
      SDKCTL_CLIENT_CERT and SDKCTL_CLIENT_KEY. Both name one PEM file \
      beside the stored identity, mode 0600, which {identity renew} keeps up to date.
      """,
    examples: [
      ("sdkctl identity export -o alice.p12", "Write a PKCS #12 file"),
      (
        "sdkctl identity export --curl | curl -K - https://api.example.com/", "Use it with curl"
      ),
      (
        "eval \"$(sdkctl identity export --env sh)\"",
        "Set SDKCTL_CLIENT_CERT and SDKCTL_CLIENT_KEY"
      ),
    ],
    exitCodes: [9], seeAlso: ["identity import"], needs: .terminal)

  enum Format: String, CaseIterable, Sendable { case pem, pkcs12 }

  struct Arguments: CommandArguments {
    var name: IdentityName?
    var format: Format?
    var output: String?
    var noKey = false
    var passwordFile: String?
    var noPassword = false
    var legacy = false
    var curl = false
    var shell: TokenForm.Shell?

    var encoding: Format {
      let isPKCS12 = [".p12", ".pfx"].contains { output?.asciiLowercased.hasSuffix($0) == true }
      return format ?? (isPKCS12 ? .pkcs12 : .pem)
    }
  }

  static let options: [Option<Arguments>] =
    [
      .choice("format", "FORMAT", \.format, "Write pem or pkcs12")
        .more("The default is pkcs12 into a file whose name ends with `.p12` or `.pfx`, else pem."),
      .value("output", short: "o", "FILE", \.output, "Write to this file, mode 0600").completing(
        .file),
      .flag("no-key", \.noKey, "Leave the private key out").excludes(passwords),
      .flag("legacy", \.legacy, "Use 3DES and SHA-1 in PKCS #12, for old programs"),
      .flag("curl", \.curl, "Print a configuration for curl -K")
        .exclusive("form").excludes(forFiles),
      .choice("env", "SHELL", \.shell, "Print variables for a shell, or a file of variables")
        .exclusive("form").excludes(forFiles),
    ]
    + .group(
      .passwords,
      [
        .secret("password", \.passwordFile, "the new password").exclusive("password"),
        .flag("no-password", \.noPassword, "Write a PKCS #12 file with an empty password")
          .exclusive("password"),
      ])

  private static let passwords = ["password-file", "no-password"]
  /// What is only for an identity that is written.
  private static let forFiles = ["format", "output", "no-key", "legacy"] + passwords

  static let operands: [Operand<Arguments>] = [.identity(\.name)]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.noKey, arguments.encoding == .pkcs12 {
      throw ValueError("--no-key is for --format pem")
    }
    if arguments.encoding == .pem, arguments.legacy || arguments.noPassword {
      throw ValueError("--legacy and --no-password are for --format pkcs12")
    }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let identity = try context.identity(arguments.name, of: session)
    if arguments.curl || arguments.shell != nil {
      return try await printPaths(of: identity, arguments, session, context)
    }
    guard arguments.noKey || !identity.key.isInSecurityToken else {
      throw Failure(
        .identity,
        "could not export the identity '\(identity.name)': its key is in a security token, which "
          + "does not hand it out",
        hints: [
          ShellWord.sdkctl(
            of: session.profile.name, "identity", "export", identity.name, "--no-key")
        ])
    }
    let target = try KeyTarget(
      arguments.output, holdsKey: !arguments.noKey, command: "identity export", context)
    guard !arguments.noKey else { return try target.write(Array(identity.chain.pem.utf8)) }
    guard arguments.encoding == .pem || !target.isTerminal else {
      throw Failure.usage("could not print PKCS #12 on the terminal: --output is missing")
    }
    let store = session.identities.store()
    let opened = try await store.unsealed(identity)
    try target.write(try await encoded(opened, arguments, session, context))
  }

  private static func encoded(
    _ identity: Identity, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws -> [UInt8] {
    let service = session.identities
    switch arguments.encoding {
    case .pem:
      let password = try context.secret("password", file: arguments.passwordFile)
      return try exporting(identity, session) { () throws(SDKError) in
        Array(
          (try service.privateKeyPEM(of: identity, passphrase: password) + identity.chain.pem).utf8)
      }
    case .pkcs12:
      let password =
        try await arguments.noPassword
        ? ""
        : context.newSecret(
          "password", file: arguments.passwordFile)
      return try exporting(identity, session) { () throws(SDKError) in
        try service.pkcs12(identity, password: password, isLegacy: arguments.legacy)
      }
    }
  }

  private static func printPaths(
    of identity: Identity, _ arguments: Arguments, _ session: ProfileSession, _ context: Context
  ) async throws {
    let path = try await session.identities.store().publish(identity)
    guard let shell = arguments.shell else {
      // The file has both; curl's parser reads \ and " as marks.
      let quoted = path.escaping("\\", "\"")
      context.print("cert = \"\(quoted)\"")
      return context.print("key = \"\(quoted)\"")
    }
    for name in ["SDKCTL_CLIENT_CERT", "SDKCTL_CLIENT_KEY"] {
      context.print(shell.assignment(name, path))
    }
  }

  private static func exporting<Value>(
    _ identity: Identity, _ session: ProfileSession, _ body: () throws(SDKError) -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      throw Failure(
        SDKError(
          error.code, "could not export the identity '\(identity.name)': \(error.message)"),
        profile: session.profile.name)
    }
  }
}
