import Arguments
import Pinning
import SDKCore

/// `sdkctl pin show` -- show the pins of a host.
enum PinShow: Command {
  static let page = CommandInfo(
    name: "show", summary: "Show the pins that apply to a host",
    description: """
      Prints the pins that a request to the host is checked against, also those of a parent \
      domain. If there are none, the exit status is 8.
      """,
    examples: [("sdkctl pin show api.example.com", "Show the pins of a host")],
    exitCodes: [3, 8], json: "As `pin list --json`, with one host.")

  struct Arguments: Sendable {
    var host = ""
  }

  static let defaults = Arguments()

  static let operands: [Operand<Arguments>] = [
    .one("HOST", \.host, "The host").completing(.dynamic("pinned-hosts"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    guard let place = PinPlace(arguments.host) else {
      throw .usage("'\(arguments.host)' is not a host name")
    }
    switch try context.pinSets().requirement(
      for: place.host, port: place.port, at: context.now())
    {
    case .pinned(let set): try context.printPins([set])
    case .expired(let set):
      context.note("these pins have expired, so the host is refused")
      try context.printPins([set])
    case .none:
      throw Failure(
        .pin, "host_not_pinned", "could not find pins for \(place.host)",
        hints: [Remedy.pinHost(place.description).commandLine(for: try context.profileName())])
    }
  }
}
