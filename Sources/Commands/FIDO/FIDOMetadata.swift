import Arguments
import FIDO
import SDKCore
import UAF

enum FIDOMetadata: Command {
  static let page = CommandInfo(
    name: "metadata", summary: "Print the metadata statement of the authenticator",
    description: """
      Prints the metadata statement of the software authenticator (FIDO UAF Authenticator Metadata \
      Statements 1.1) as JSON: `sdkctl fido metadata > statement.json`. A server that \
      accepts only known models loads it before the first {fido register}.

      The statement has the certificate that signs registrations, unless the profile has \
      `fido.attestation=surrogate`. `--certificate` prints this certificate alone, as PEM. It and its \
      key are made on first use; each authenticator of each profile has its own. No network is used.
      """,
    examples: [
      ("sdkctl fido metadata > statement.json", "Write the statement for the server"),
      ("sdkctl fido metadata --certificate", "Print the attestation certificate"),
    ],
    exitCodes: [10, 14], seeAlso: ["fido register", "fido"],
    output: OutputDoc(.document, [], others: "The metadata statement, also without `--json`."))

  struct Arguments: CommandArguments {
    var aaid: AAID?
    var certificate = false
  }

  static let options: [Option<Arguments>] = [
    .aaid(\.aaid),
    .flag("certificate", \.certificate, "Print the attestation certificate as PEM")
      .excludes("json"),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let fido = try context.session().fido
    if arguments.certificate {
      context.write(document: try await fido.attestationCertificate(of: arguments.aaid))
    } else {
      context.print(try await fido.metadataStatement(of: arguments.aaid))
    }
  }
}
