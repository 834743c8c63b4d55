import Arguments
import SDKCore

enum RegisterShow: Command {
  static let page = CommandInfo(
    name: "show", summary: "Print what the server knows about the client",
    description: """
      Asks the server for the registration of the client and prints it, without credentials: \
      `sdkctl register show`. If the server returns a new secret or management token, it is stored.

      The server must let clients manage their registration (RFC 7592); otherwise the exit status is 1. A \
      client that existed before {register} is shown if the server has an endpoint that describes clients \
      (`endpoints.clientValidation`).
      """,
    examples: [
      ("sdkctl register show", "Print the registration"),
      ("sdkctl register show --json | jq .metadata.scope", "Print the scope that is registered"),
    ],
    seeAlso: ["register", "register update"],
    output: RegistrationReport.serverRows.document, needs: .session)

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let session = try context.session()
    let name = session.profile.name
    let registration = try await session.registration.read()
    RegistrationReport(registration: registration, profile: name).printAll(context, note: nil)
  }
}
