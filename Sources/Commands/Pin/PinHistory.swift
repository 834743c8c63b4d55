import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin history` -- show the keys that hosts have shown.
enum PinHistory: Command {
  static let page = CommandInfo(
    name: "history", summary: "Show which keys hosts have shown, and when",
    description: """
      Prints the keys that `pin check`, `pin plan` and `pin update` have seen in validated chains \
      of a host: for each key when it was first and last seen, its role, the end of its \
      certificate, and whether it is pinned. The latest is first. Run `pin check` regularly to \
      keep the history complete.

      Each line has these fields, separated by tabs: host, pin, role, first, last, end of the \
      certificate, `pinned` or `-`, and the subject; on a terminal they are a table.
      """,
    examples: [("sdkctl pin history api.example.com", "Show the keys of a host")],
    seeAlso: ["pin check", "pin plan"],
    json: """
      An array of objects: `host`, `port`, `pin`, `role`, `subject`, `first`, `last`, \
      `certificateExpires` and `pinned` (boolean).
      """)

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
    if context.globals.json {
      context.print(.array(shown.map { $0.json(isPinned: $0.isPinned(in: session)) }))
      return
    }
    let rows = shown.map { key in
      [
        TextTable.Cell(key.endpoint.name), .init(key.pin), .init(key.role.rawValue),
        .init(key.first), .init(key.last), .init(key.certificateExpires),
        .init(key.isPinned(in: session) ? "pinned" : "-"), .init(key.subject),
      ]
    }
    context.print(
      TextTable(
        "HOST", "PIN", "ROLE", "FIRST SEEN", "LAST SEEN", "ENDS", "PINNED", "SUBJECT",
        rows: rows))
    if shown.isEmpty { context.note("no key was seen yet; run `sdkctl pin check`") }
  }
}

extension PinObservation {
  fileprivate func isPinned(in session: ProfileSession) -> Bool {
    let set = session.pins.set(for: endpoint.host, port: endpoint.port)
    return set?.keys.contains { $0.pin == pin } ?? false
  }

  fileprivate func json(isPinned: Bool) -> JSON {
    [
      "host": .string(endpoint.host), "port": .int(Int64(endpoint.port)),
      "pin": .string(pin.description), "role": .string(role.rawValue),
      "subject": .string(subject), "first": .string(first.description),
      "last": .string(last.description),
      "certificateExpires": .string(certificateExpires.description),
      "pinned": .bool(isPinned),
    ]
  }
}
