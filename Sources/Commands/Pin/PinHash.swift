import Arguments
import POSIX
import PinFormats
import Pinning
import Primitives
import SDKCore

enum PinHash: Command {
  static let page = CommandInfo(
    name: "hash", summary: "Print the pin of a server, a file or a key",
    description: """
      Prints pins, and changes nothing: `sdkctl pin hash server.crt`. It needs no profile.

      A source is a host (`HOST`, `HOST:PORT` or a URL); a file, `-` for standard input; or a pin in \
      any notation, which is printed as `sha256/BASE64`. A file holds certificates, certificate \
      requests, public or private keys in PEM or DER, a PKCS #7 message, or a PKCS #12 file. A \
      password is asked for on the terminal if the file needs one.

      Of a host, the keys of the validated path are printed; `--role` chooses some of them. A \
      chain that does not validate is an error. The trusted authorities are those of \
      the profile if there is one, or of the system.

      The SHA-256 of a certificate (its fingerprint) looks like a pin. If such a hash and the \
      certificate are both given, the command says so.
      """,
    examples: [
      ("sdkctl pin hash api.example.com", "Print the pins of a server's chain"),
      (
        "sdkctl pin hash api.example.com --connect-to ::192.0.2.7:", "Look at one of its servers"
      ),
      ("sdkctl pin hash server.crt backup.csr key.pem", "Print the pins of files"),
      ("openssl req -in a.csr | sdkctl pin hash -", "Print the pin of standard input"),
    ],
    seeAlso: ["pin add", "pin show", "pins"],
    output: HashedKey.rows.list, needs: [.network, .terminal])

  struct Arguments: CommandArguments {
    var sources: [String] = []
    var roles: [PinRole] = []
    var files = PinFileArguments()
    var connection = ConnectionArguments()
  }

  static let options: [Option<Arguments>] =
    [
      .choices("role", "ROLE", \.roles, "Of hosts, print these: leaf, intermediate or root")
    ] + .group(.passwords, PinFileArguments.options.of(\.files))
    + .group(.connection, ConnectionArguments.options.of(\.connection))

  static let operands: [Operand<Arguments>] = [
    .some("SOURCE", \.sources, "A host, a URL, a file, - or a pin").completing(.file).input()
  ]

  static func check(_ arguments: Arguments) throws(ValueError) {
    if arguments.roles.contains(.backup) { throw ValueError("a server shows no backup key") }
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let sources = try arguments.sources.map { try PinSource($0) }
    var options = try context.options(caFile: context.profileAuthorities)
    arguments.connection.apply(to: &options)
    let probe = ChainProbe(options, over: context.network)
    var reader = try arguments.files.reader(context)
    var keys: [HashedKey] = []
    var failure: Failure?
    for (text, source) in zip(arguments.sources, sources) {
      do {
        switch source {
        case .pin(let pin): keys.append(HashedKey(pin, source: text))
        case .file(let file):
          keys += try await reader.keys(in: file).map { HashedKey($0, source: text) }
        case .server(let place):
          let chain = try await probe.chain(of: place)
          if let error = chain.verificationError {
            throw Failure.untrusted(chain, of: place, "could not take the pins of", error)
          }
          keys += HashedKey.all(of: chain, source: text).filter {
            arguments.roles.isEmpty || $0.role.map(arguments.roles.contains) == true
          }
        }
      } catch {
        // The other sources are printed even so.
        if let failure { context.warning(failure.message) }
        failure = context.failure(error)
      }
    }
    try context.refuseMistakes(
      keys.filter { $0.kind == "pin" }.map(\.pin), among: keys.compactMap(\.certificate))
    context.print(keys, HashedKey.rows)
    if let failure { throw failure }
  }
}

extension Context {
  /// The file of the authorities of the chosen profile; `nil` without one, for a command that needs none.
  fileprivate var profileAuthorities: String? {
    guard let name = try? profileName(), let profile = try? store().profile(name) else {
      return nil
    }
    return profile.caFile
  }
}

struct HashedKey: Sendable {
  let source: String
  let pin: Pin
  /// What the key was found in.
  let kind: String
  /// Where the key is in the chain of a server.
  var role: PinRole?
  var subject: String?
  var keyType: String?
  var certificate: CertificateDetails?

  init(_ pin: Pin, source: String) {
    self.source = source
    self.pin = pin
    kind = "pin"
  }

  init(_ key: FoundKey, source: String) {
    self.source = source
    pin = key.pin
    kind = key.kind.rawValue
    if key.kind == .certificate || key.kind == .request { subject = key.label }
    keyType = key.keyType
    certificate = key.certificate
  }

  private init(_ certificate: CertificateDetails, _ role: PinRole, source: String) {
    self.source = source
    pin = certificate.pin
    kind = FoundKey.Kind.certificate.rawValue
    self.role = role
    subject = certificate.subject
    keyType = certificate.keyType
    self.certificate = certificate
  }

  /// The keys of the validated path of a server.
  static func all(of chain: PresentedChain, source: String) -> [HashedKey] {
    zip(chain.validated, chain.keys).map { HashedKey($0, $1.role, source: source) }
  }

  static let rows = Rows<HashedKey>(
    // Never cut: it is what the command is for.
    .column("pin", "PIN", "the pin") { $0.pin.description },
    .column("kind", "KIND", "`certificate`, `request`, `public-key`, `private-key` or `pin`") {
      $0.kind
    },
    .column("role", "ROLE", "that of a server's key: `leaf`, `intermediate` or `root`") {
      $0.role?.rawValue
    },
    .column("subject", "SUBJECT", "the subject") { $0.subject },
    .column("source", "SOURCE", "the source") { $0.source },
    .member("hex", "the same hash in hexadecimal digits") { Hex.encode($0.pin.sha256) },
    .member("keyType", "the kind of key") { $0.keyType },
    .member("notBefore", "when the certificate begins") { $0.certificate?.notBefore },
    .member("expires", "when it ends") { $0.certificate?.notAfter },
    .member("certificateSHA256", "the hash of the certificate, which is not a pin") {
      $0.certificate?.sha256
    })
}

struct PinFileArguments: Sendable {
  var passwordFile: String?
  var legacy = false

  static let options: [Option<Self>] = [
    .secret("password", \.passwordFile, "the password"),
    .flag("legacy", \.legacy, "Allow the old algorithms RC2, RC4 and DES"),
  ]

  func reader(_ context: Context) throws -> KeyFileReader {
    try KeyFileReader(context, passwordFile: passwordFile, allowsLegacy: legacy)
  }
}
