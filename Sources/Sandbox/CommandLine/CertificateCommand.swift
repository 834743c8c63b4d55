import Arguments
import JSON

/// `certificate`: make a certificate by which a client authenticates.
enum CertificateCommand: Command {
  static let page = CommandInfo(
    name: "certificate", summary: "Make a certificate and key for a client",
    description: """
      The certificate is under the authority of the sandbox. It has the subject \
      `CN=NAME,O=sdkctl sandbox` and the alternative names `NAME` (DNS), \
      `urn:sandbox:client:NAME` (URI), `NAME@example.com` (e-mail) and 127.0.0.1. It is good for \
      90 days.
      """,
    examples: [("sdkctl-sandbox certificate robot", "Write robot.pem and robot-key.pem")],
    output: OutputDoc(
      .document,
      [
        MemberDoc("certificate", "the file of the certificate"),
        MemberDoc("key", "the file of its key"), MemberDoc("subjectDN", "the subject"),
        MemberDoc("x5t#S256", "the thumbprint"),
        MemberDoc("jwk", "the public key with `x5c`, as a registration takes it"),
      ]))

  struct Arguments: CommandArguments {
    var file: String?
    var keyFile: String?
    var isSelfSigned = false
    var isExpired = false
    var json = false
    var name = ""
  }

  static let options: [Option<Arguments>] = [
    .value("out", "FILE", \.file, "Where the certificate goes (NAME.pem)").completing(.file)
      .more("That of its issuer follows it."),
    .value("key-out", "FILE", \.keyFile, "Where its key goes (NAME-key.pem)")
      .completing(.file),
    .flag("self-signed", \.isSelfSigned, "Under no authority but its own key"),
    .flag("expired", \.isExpired, "One whose time is over"),
    .json(\.json),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("NAME", \.name, "What the client is called") { (text) throws(ValueError) in
      guard ClientIdentity.isName(text) else {
        throw ValueError("not 1 to 63 letters, digits, dots or dashes")
      }
      return text
    }
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let name = arguments.name
    let authority = arguments.isSelfSigned ? nil : try authority(in: try context.directory())
    let identity = try ClientIdentity(
      name: name, authority: authority, isExpired: arguments.isExpired, now: Sandbox.now)
    let file = arguments.file ?? "\(name).pem"
    let keyFile = arguments.keyFile ?? "\(name)-key.pem"
    try StateDirectory.write(try identity.keyPEM(), to: keyFile)
    try StateDirectory.write(try identity.chainPEM(), to: file)
    let thumbprint = ShownCertificate(identity.leaf).thumbprint
    guard !arguments.json else {
      return context.print([
        "certificate": .string(file), "key": .string(keyFile),
        "subjectDN": .string("\(identity.leaf.subject)"), "x5t#S256": .string(thumbprint),
        "jwk": identity.publicJWK(),
      ])
    }
    context.print(
      """
      The certificate is in \(file), its key in \(keyFile).
        subject  \(identity.leaf.subject)
        SHA-256  \(thumbprint)
      """)
  }

  private static func authority(in directory: StateDirectory) throws(Failure) -> Authority {
    guard let authority = directory.keptAuthority else {
      throw Failure(
        "could not make the certificate: the sandbox has no authority before its first start",
        hint: "sdkctl-sandbox start --background", exit: .store)
    }
    return authority
  }
}
