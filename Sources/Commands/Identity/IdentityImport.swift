import Arguments
import POSIX
import Pinning
import Primitives
import SDKCore

enum IdentityImport: Command {
  static let page = CommandInfo(
    name: "import", summary: "Store a client certificate with its key",
    description: """
      Reads a client certificate with its private key, and stores both for a host: \
      `sdkctl identity import alice.p12 --host api.example.com`. The file is PKCS #12, PEM or DER; \
      the key may also be in a file of its own (`--key-file`), or be that of a request made with \
      {identity csr}.

      The chain is put in order, completed with the certificates of `--chain`, and checked: the \
      certificate must be for the key, valid now, and for TLS clients. Certificates that do not \
      belong to it are left out.

      A password is asked for on the terminal if the file needs one. A PKCS #12 file without \
      password is read in both forms that exist, with an empty password and with none. Old files \
      that are encrypted with RC2, RC4 or DES need `--legacy`. If a file has several private keys, the one with a \
      certificate is used, or that of `--key-alias`: its alias, or its number in the file. Key stores of \
      Java's own formats (JKS, JCEKS) are not read: `keytool` converts them.

      A key in a security token (PKCS #11) stays there: give its URI (RFC 7512) as `--key-uri`, \
      or in place of the file if the security token has the certificate too: \
      `sdkctl identity import 'pkcs11:token=work;object=alice'`. The PIN is asked for on the \
      terminal when the key is used; see {identities}.

      Without `--host` the identity is for the host of the profile's resource URL.
      """,
    examples: [
      ("sdkctl identity import alice.p12", "Import a PKCS #12 file"),
      (
        "sdkctl identity import alice.pem --key-file alice.key --host '*.example.com'",
        "Import PEM files for all hosts below example.com"
      ),
      ("sdkctl identity import issued.pem", "Import the certificate of a request"),
    ],
    exitCodes: [14], seeAlso: ["identity csr", "identity export"],
    output: IdentityReport.rows.document, needs: .terminal)

  struct Arguments: CommandArguments {
    var file = ""
    var keyFile: String?
    var keyURI: String?
    var keyAlias: String?
    var chainFile: String?
    var hosts: [IdentityHost] = []
    var name: IdentityName?
    var replace = false
    var acceptsUnusable = false
    var passwordFile: String?
    var legacy = false
    var seal = false
  }

  static let options: [Option<Arguments>] =
    [
      .list("host", "HOST", \.hosts, "Show it to this host, or to '*.DOMAIN'"),
      .value("name", "NAME", \.name, "Name it, in place of its first host"),
      .flag("replace", \.replace, "Replace an identity of the same name"),
      .flag("allow-unusable", \.acceptsUnusable, "Accept a certificate that cannot be used now"),
      .secret("key", \.keyFile, "the private key").exclusive("key"),
      .keyURI(\.keyURI).exclusive("key"),
      .value("key-alias", "NAME", \.keyAlias, "Use this key of a file with several")
        .excludes("key-uri"),
      .value("chain", "FILE", \.chainFile, "Complete the chain from this file")
        .completing(.file).input(),
      .flag("legacy", \.legacy, "Allow the old algorithms RC2, RC4 and DES"),
    ]
    + .group(
      .passwords,
      [.secret("password", \.passwordFile, "the password")]
        + [.seal(\.seal).excludes("key-uri")])

  static let operands: [Operand<Arguments>] = [
    .one("FILE", \.file, "PKCS #12, PEM, DER or PKCS #7; or a PKCS #11 URI").completing(.file)
      .input()
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.isSecurityToken,
      arguments.keyURI != nil || arguments.keyFile != nil || arguments.seal
    {
      throw ValueError("--key-uri, --key-file and --seal are for a certificate in a file")
    }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    var reader = try KeyFileReader(
      context, passwordFile: arguments.passwordFile, allowsLegacy: arguments.legacy)
    var material = try await material(arguments, session, &reader)
    material.keyAlias = arguments.keyAlias
    var options = IdentityImportOptions()
    options.keyURI = arguments.keyURI ?? (arguments.isSecurityToken ? arguments.file : nil)
    options.name = arguments.name
    options.hosts = arguments.hosts
    options.replaces = arguments.replace
    options.acceptsUnusable = arguments.acceptsUnusable
    if let file = arguments.chainFile { options.authorities = try await reader.identity(in: file) }
    if options.keyURI == nil {
      options.passphrase = try await context.newPassphrase(isWanted: arguments.seal)
    }
    let (identity, former) = try await session.identities.add(material, options)
    context.report(identity, "imported")
    if let issuer = identity.chain.missingIssuer {
      context.warning(
        "the certificate of the issuer (\(issuer)) is not in the chain; a server that trusts "
          + "only an authority above it refuses the identity: add it with --chain")
    }
    for issuer in identity.chain.invalidIssuers(at: context.now()) {
      context.warning(
        "the certificate of the issuer \(issuer.subject) is not valid (\(issuer.notBefore) to "
          + "\(issuer.notAfter)); a server may refuse the identity: import it with a newer one")
    }
    await context.warnOfBoundTokens(former?.chain, replacedBy: identity.chain, in: session)
  }

  /// The certificate, with its key if that is in a file.
  private static func material(
    _ arguments: Arguments, _ session: ProfileSession, _ reader: inout KeyFileReader
  ) async throws -> IdentityMaterial {
    if arguments.isSecurityToken {
      return try await session.identities.certificates(ofSecurityToken: arguments.file)
    }
    let material = try await reader.identity(in: arguments.file)
    guard let file = arguments.keyFile else { return material }
    let key = try await reader.identity(in: file)
    do throws(SDKError) { return try material.joined(with: key) } catch {
      throw Failure(SDKError(error.code, "could not use '\(file)': \(error.message)"))
    }
  }
}

extension Context {
  func report(_ identity: Identity, _ participle: String) {
    let hosts = identity.hosts.map(\.description).joined(separator: ", ")
    report(
      IdentityReport(identity: identity, now: now()), IdentityReport.rows,
      "\(participle) the identity '\(identity.name)' (\(identity.chain.subject)) for \(hosts)")
    note(ending(identity.chain.notAfter))
  }
}

extension IdentityImport.Arguments {
  fileprivate var isSecurityToken: Bool { file.asciiLowercased.hasPrefix("pkcs11:") }
}
