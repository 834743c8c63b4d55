import Arguments
import Pinning
import Primitives
import SDKCore

enum PinHistory: Command {
  static let page = CommandInfo(
    name: "history", summary: "Show which keys hosts have shown, and when",
    description: """
      Prints the keys that `pin check`, `pin plan` and `pin update` have seen in validated chains \
      of a host. The latest is first. Run `pin check` regularly to keep the history complete.
      """,
    examples: [("sdkctl pin history api.example.com", "Show the keys of a host")],
    seeAlso: ["pin check", "pin plan"],
    output: rows.list)

  private static let rows = Rows<(key: PinObservation, isPinned: Bool)>(
    .column("host", "HOST", ShownHost.meaning) { ShownHost($0.key.endpoint) },
    .member("port", "its port") { Int64($0.key.endpoint.port) },
    .column("pin", "PIN", "the pin of the key") { $0.key.pin },
    .column("role", "ROLE", "its role") { $0.key.role.rawValue },
    .column("first", "FIRST SEEN", "when it was first seen") { $0.key.first },
    .column("last", "LAST SEEN", "when it was last seen") { $0.key.last },
    .column("expires", "ENDS", "when its certificate ends") { $0.key.certificateExpires },
    .column("pinned", "PINNED", "whether it is pinned") { $0.isPinned },
    .column("subject", "SUBJECT", "the subject of its certificate") { $0.key.subject })

  struct Arguments: CommandArguments {
    var hosts: [String] = []
  }

  static let operands: [Operand<Arguments>] = [
    .any("HOST", \.hosts, "A host, HOST:PORT or @FILE").completing(.dynamic("pinned-hosts"))
      .input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let wanted = try context.expanded(arguments.hosts).map { text in
      guard let place = PinEndpoint(text) else { throw Failure.notHost(text) }
      return (host: place.host, port: PinEndpoint.namesPort(in: text) ? place.port : nil)
    }
    let session = try context.session()
    let all = try session.pinning.history()
    let shown = all.filter { observation in
      wanted.isEmpty
        || wanted.contains {
          $0.host == observation.endpoint.host
            && ($0.port == nil || $0.port == observation.endpoint.port)
        }
    }
    context.print(shown.map { ($0, $0.isPinned(in: session)) }, rows)
    if shown.isEmpty { context.note("no key was seen yet; run `sdkctl pin check`") }
  }
}

extension PinObservation {
  fileprivate func isPinned(in session: ProfileSession) -> Bool {
    let set = session.pins.set(for: endpoint.host, port: endpoint.port)
    return set?.keys.contains { $0.pin == pin } ?? false
  }
}
