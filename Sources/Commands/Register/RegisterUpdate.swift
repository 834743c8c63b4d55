import Arguments
import OAuth
import SDKCore

enum RegisterUpdate: Command {
  static let page = CommandInfo(
    name: "update", summary: "Change the registration at the server",
    description: """
      Changes what the options name at the server, leaves the rest as it is, and prints the \
      registration: `sdkctl register update --client-name 'My laptop'`. A new secret or management \
      token that the server returns is stored.

      Without options the registration is sent as it is; that makes servers renew an expired \
      secret. An expired certificate is replaced by `sdkctl register update --auth-method \
      self_signed_tls_client_auth`, or with `tls_client_auth` by that of `--client-certificate`, \
      which must have a name of the kind that is registered. \
      The options are those of {register}.

      The server must let clients manage their registration (RFC 7592); with one that does not, \
      use `sdkctl register --replace`.
      """,
    examples: [
      ("sdkctl register update --client-name 'My laptop'", "Change the name at the server"),
      (
        "sdkctl register update --auth-method private_key_jwt",
        "Replace the secret of the client by a key"
      ),
    ],
    seeAlso: ["register", "register show"],
    output: RegistrationReport.serverRows.document, needs: .session)

  struct Arguments: CommandArguments {
    var client = ClientArguments()
  }

  static let options: [Option<Arguments>] =
    ClientArguments.metadataOptions.of(\.client)
    + .group(.keys, ClientArguments.keyOptions(keyIsFor: "client-certificate").of(\.client))
    + .group(.software, ClientArguments.softwareOptions.of(\.client))

  static func check(_ arguments: Arguments) throws(ValueError) {
    try arguments.client.checkCertificate(isGiven: false)
  }

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let session = try context.session()
    let name = session.profile.name
    var changes = try arguments.client.metadata(context)
    var client = arguments.client
    if client.method == .tlsClientAuth {
      let registered = try await session.registration.current()
      client.certificateSAN = registered?.certificateName.flatMap(AlternativeName.init)
    }
    changes.credential = try await client.credential(context, session)
    let chosen = changes
    let registration = try await session.registration.update(chosen)
    RegistrationReport(registration: registration, profile: name)
      .printAll(context, note: "updated the registration of")
  }
}
