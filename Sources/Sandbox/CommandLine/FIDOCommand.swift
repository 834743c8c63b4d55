import Arguments
import JSON

/// `fido`: show the UAF server, set how it behaves, load what is known of authenticators.
enum FIDOCommand: Command {
  static let page = CommandInfo(
    name: "fido", summary: "Show the FIDO UAF server, or change how it behaves",
    description: """
      Shows its options, its keys, and how often somebody registered and authenticated. \
      `NAME=VALUE` sets an option, `NAME=default` undoes it:

      * `result`: what an authentication returns: `cookie`, or a JWT in the field `Authorization` \
      (`jwt-field`), in the member `jwt` (`jwt-member`) or among the additional tokens of the response \
      (`jwt-token`).
      * `lifetime`: seconds that a request and a token are valid (120).
      * `attestation`: with `any`, an authenticator may have a certificate that it made itself, as long as \
      none is loaded for its model; with `loaded` it may not.
      * `accept`: the models that a registration accepts, with commas between them (all that are known).
      * `late`: how many authentications with each key that is registered from now on are told that the key \
      is not known (1481).
      * `status`: the status of the next response, whatever was sent.
      * `transaction`: a text that each authentication must confirm, or `png` for an image.
      * `facets`: facets that are trusted beside the issuer, with commas between them.
      * `app-id`: the application ID of requests (the address of the list of facets).
      """,
    examples: [("sdkctl-sandbox fido result=jwt-field", "Return a JWT in a field of the response")],
    output: OutputDoc(
      .document,
      [
        MemberDoc("options", "the options"), MemberDoc("authenticators", "the models"),
        MemberDoc("keys", "the keys"), MemberDoc("registrations", "how many there were"),
        MemberDoc("authentications", "how many there were"),
      ]))

  struct Arguments: CommandArguments {
    var load: String?
    var endsSessions = false
    var json = false
    var orders: [Setting] = []
  }

  struct Setting: ArgumentValue, Sendable {
    let name: String
    let value: String

    static func reading(_ text: String) throws(ValueError) -> Setting {
      let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, FIDOOptions.names.contains(String(halves[0])) else {
        throw ValueError(
          "expected one of \(FIDOOptions.names.joined(separator: ", ")) with a value")
      }
      return Setting(name: String(halves[0]), value: String(halves[1]))
    }
  }

  static let options: [Option<Arguments>] = [
    .value("load", "FILE", \.load, "Load a metadata statement, or certificates (PEM)")
      .completing(.file)
      .more("Attestations of the model FFFF#0001 must lead to these certificates."),
    .flag("end-sessions", \.endsSessions, "End all cookies and JWTs of logins"),
    .json(\.json),
  ]

  static let operands: [Operand<Arguments>] = [.any("NAME=VALUE", \.orders, "An option to set")]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    var orders = Form()
    for order in arguments.orders { orders.append(order.name, order.value) }
    if let file = arguments.load {
      orders.append("load", Base64URL.encode(try StateDirectory.read(file)))
    }
    if arguments.endsSessions { orders.append("end-sessions", "1") }
    let answer = try context.client().ask("POST", orders.appended(to: "/fido"))
    arguments.json ? context.print(answer) : context.print(words(answer))
  }

  private static func words(_ state: JSON) -> String {
    let options = FIDOOptions.names.map { name in
      let value = state["options"]?[name] ?? .null
      let text = value.string ?? value.int.map { "\($0)" } ?? value.strings?.joined(separator: ",")
      return "  \(name)=\(text ?? "default")"
    }
    let keys = (state["keys"]?.array ?? []).map { key in
      "  \(key["aaid"]?.string ?? "") \(key["keyId"]?.string ?? "") "
        + "of \(key["subject"]?.string ?? ""), used \(key["signCounter"]?.int ?? 0) times"
    }
    let lines =
      ["Options:"] + options + [
        "Registrations: \(state["registrations"]?.int ?? 0)",
        "Authentications: \(state["authentications"]?.int ?? 0)", "Keys:",
      ] + (keys.isEmpty ? ["  none"] : keys)
    return lines.joined(separator: "\n")
  }
}
