import Arguments
import JSON
import POSIX
import SDKCore

enum IdentityCSR: Command {
  static let page = CommandInfo(
    name: "csr", summary: "Make a key and a certificate request",
    description: """
      Makes a key pair, stores it, and prints a certificate request (PKCS #10) for an authority: \
      `sdkctl identity csr --subject CN=alice > alice.csr`. The certificate that the authority \
      issues is then imported with {identity import}, without its key.

      The subject is as in RFC 4514, with the most specific part first: `CN=alice,O=Example`. \
      `--same-key` makes a request for the key that an identity has already, with the names of its \
      certificate if none are given; `--key-uri` for a key \
      in a security token (RFC 7512).

      {identity list} shows the request as `requested` until its certificate is imported. A second \
      request of the same name is refused, because the key of the first one would be lost: \
      `--replace` replaces it.
      """,
    examples: [
      ("sdkctl identity csr --subject CN=alice,O=Example > alice.csr", "Make a request"),
      ("sdkctl identity csr --key-type rsa3072 --email alice@example.com", "Use an RSA key"),
    ],
    exitCodes: [9, 14], seeAlso: ["identity import"],
    output: rows.document, needs: .terminal)

  private static let rows = Rows<(name: IdentityName, request: [UInt8])>(
    .member("name", "the name") { $0.name.description },
    .member("request", "the request, in PEM") { IdentityService.pem(request: $0.request) })

  struct Arguments: CommandArguments {
    var request = IdentityCertificateRequest()
    var seal = false
  }

  static let options: [Option<Arguments>] =
    [
      .value("subject", "NAME", \.request.subject, "Ask for this subject: CN=alice,O=Example"),
      .choice("key-type", "TYPE", \.request.keyType, "Make a key of this type"),
      .list("host", "HOST", \.request.hosts, "Show it to this host, or to '*.DOMAIN'"),
      .flag("same-key", \.request.keepsKey, "Use the key of the identity NAME again")
        .exclusive("key"),
      .keyURI(\.request.keyURI).exclusive("key"),
      .flag("replace", \.request.replaces, "Replace an earlier request of the same name"),
      .seal(\.seal).excludes("same-key", "key-uri"),
    ]
    + .group(
      "Alternative names",
      [
        .list("dns", "NAME", \.request.dnsNames, "Ask for this DNS name"),
        .list("email", "ADDRESS", \.request.emailAddresses, "Ask for this mail address"),
        .list("uri", "URI", \.request.uris, "Ask for this URI"),
        .list("ip", "ADDRESS", \.request.ipAddresses, "Ask for this IP address"),
      ])

  static let operands: [Operand<Arguments>] = [
    .optional("NAME", \.request.name, "Its name; that of its first host if left out")
      .completing(.dynamic("identities"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    var request = arguments.request
    let session = try context.session()
    if !request.keepsKey, request.keyURI == nil {
      request.passphrase = try await context.newPassphrase(isWanted: arguments.seal)
    }
    let wanted = request
    let (der, name) = try await session.identities.request(wanted)
    let key = wanted.keyURI == nil ? "the key of '\(name)'" : "where the key of '\(name)' is"
    context.note("\(key) is stored; import the certificate when it is issued")
    if context.globals.json {
      context.print(rows.json((name, der)))
    } else {
      context.output.write(IdentityService.pem(request: der))
    }
  }
}
