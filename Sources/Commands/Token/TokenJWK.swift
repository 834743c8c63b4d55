import Arguments
import JOSE
import JSON
import POSIX
import Primitives
import SDKCore

enum TokenJWK: Command {
  static let page = CommandInfo(
    name: "jwk", summary: "Convert, describe and make JSON Web Keys",
    description: """
      Prints the public keys of files as JSON Web Keys (RFC 7517): `sdkctl token jwk key.pem`. A \
      file has keys or certificates in PEM or DER, a JWK or a JWK Set; `-` is standard input. A \
      key without `kid` gets its thumbprint (RFC 7638).

      `--generate` writes the private key to the file of `--output`, and prints the public key: for \
      `private_key_jwt`, DPoP, or the JWK Set of an issuer.

      Private keys are never printed on a terminal, nor written through a symbolic link. Without `--replace`, a \
      new key replaces no file, and nothing replaces a file that has a private key.
      """,
    examples: [
      ("sdkctl token jwk --thumbprint key.pem", "Print the thumbprint of a key"),
      ("sdkctl token jwk --set old.pem new.pem > jwks.json", "Make a JWK Set"),
      ("sdkctl token jwk --pem key.jwk", "Print the public key as PEM"),
      (
        "sdkctl token jwk --thumbprint --field 'x5t#S256' client.pem",
        "Print the hash that binds tokens to a certificate"
      ),
      ("sdkctl token jwk --generate ES256 --output key.jwk", "Make a key pair"),
      (
        "sdkctl token jwk --private --pem --output key.pem key.jwk", "Convert a private key to PEM"
      ),
    ],
    seeAlso: ["token verify", "register"],
    output: OutputDoc(.stream, [], others: "The JWK of each key, one per line.")
      .or("With `--set`", KeyText.setRows.document)
      .or("With `--thumbprint`", KeyText.hashRows.stream))

  enum Use: String, CaseIterable, Sendable { case sig, enc }

  enum Form: Sendable { case jwk, set, pem, thumbprint }

  struct Arguments: CommandArguments {
    var files: [String] = []
    var form = Form.jwk
    var generate: KeyPairAlgorithm?
    var isPrivate = false
    var output: String?
    var replace = false
    var kid: String?
    var use: Use?
    var algorithm: String?
  }

  static let options: [Option<Arguments>] =
    [
      .flag("set", \.form, setting: .set, "Print a JWK Set").exclusive("form"),
      .flag("pem", \.form, setting: .pem, "Print PEM").exclusive("form").excludes("field"),
      .flag("thumbprint", \.form, setting: .thumbprint, "Print thumbprints (RFC 7638)")
        .exclusive("form"),
      .value(
        "generate", "ALGORITHM", \.generate, "Make a key pair for this algorithm",
        reading: KeyPairAlgorithm.init,
        expected: "an algorithm such as ES256, RS256, EdDSA or ECDH-ES"
      ).completing(.choices(KeyPairAlgorithm.names)).needs("output", "private"),
      .flag("private", \.isPrivate, "Include the private keys"),
      .value("output", short: "o", "FILE", \.output, "Write to this file, with mode 0600")
        .completing(
          .file),
      .flag("replace", \.replace, "Replace a file that has a private key"),
    ]
    + .group(
      "Description of the key",
      [
        .value("kid", "ID", \.kid, "Set the key ID"),
        .choice("use", "USE", \.use, "Set the use: sig or enc"),
        .value("alg", "NAME", \.algorithm, "Set the algorithm"),
      ])

  static let operands: [Operand<Arguments>] = [
    .some("FILE", \.files, "Files with keys or certificates, or -").completing(.file).input()
      .replaced(by: "generate")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    if let algorithm = arguments.generate { return try generate(algorithm, arguments, context) }
    guard arguments.kid == nil || arguments.files.count == 1 else {
      throw Failure.usage("--kid needs exactly one file")
    }
    var keys: [DescribedKey] = []
    for file in arguments.files {
      for entry in try context.keyFile(file).entries {
        guard entry.jwk.pem != nil else { throw Failure.unusableKey("it is a shared secret") }
        keys.append(
          try Failure.usingKey { () throws(JOSEError) in
            try DescribedKey(
              entry.jwk, entry.privateKey, certificateHash: entry.certificateHash, arguments)
          })
      }
    }
    for key in keys {
      guard let mismatch = key.publicKey.certificateMismatch else { continue }
      context.warning("\(key.publicKey.kid ?? "the key") must not be trusted: \(mismatch)")
    }
    let target = try target(arguments, holdsKey: arguments.isPrivate, context)
    try write(keys, arguments, isPrivate: arguments.isPrivate, to: target, context)
  }

  private static func generate(
    _ algorithm: KeyPairAlgorithm, _ arguments: Arguments, _ context: Context
  ) throws {
    var described = arguments
    described.algorithm = arguments.algorithm ?? algorithm.name
    described.use = arguments.use ?? Use(rawValue: algorithm.use)
    let key: DescribedKey
    do {
      let made = try PrivateJWK.generate(algorithm)
      key = try DescribedKey(made.publicKey, made, described)
    } catch {
      throw Failure(.keyInvalid, exit: .failure, "could not make the key: \(error)")
    }
    let target = try target(arguments, holdsKey: true, context)
    try write([key], arguments, isPrivate: true, to: target, context)
    guard !target.isOutput else { return }
    if described.form == .pem { described.form = .jwk }
    try write([key], described, isPrivate: false, to: nil, context)
  }

  /// Writes keys to the target, or prints them; `--json` and `--field` are for what is printed.
  private static func write(
    _ keys: [DescribedKey], _ arguments: Arguments, isPrivate: Bool, to target: KeyTarget?,
    _ context: Context
  ) throws {
    let text = KeyText(form: arguments.form, isPrivate: isPrivate)
    if target?.isOutput ?? true, context.globals.json, let documents = try text.documents(of: keys)
    {
      for document in documents { context.print(document) }
      return
    }
    let bytes = Array(try text.text(of: keys).utf8)
    if let target { try target.write(bytes) } else { context.output.write(bytes) }
  }

  private static func target(
    _ arguments: Arguments, holdsKey: Bool, _ context: Context
  ) throws -> KeyTarget {
    let target = try KeyTarget(
      arguments.output, holdsKey: holdsKey, command: "token jwk --private", context)
    guard !holdsKey || !target.isTerminal else {
      throw Failure.usage("a private key is not printed on a terminal: use --output FILE")
    }
    if !arguments.replace { try target.requireNoLoss(isNew: arguments.generate != nil) }
    return target
  }
}
