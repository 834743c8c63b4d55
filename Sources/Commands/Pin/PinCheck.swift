import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin check` -- check whether servers still use a pinned key.
enum PinCheck: Command {
  static let page = CommandInfo(
    name: "check", summary: "Check whether servers still use a pinned key",
    description: """
      Connects to each host and compares the keys of its validated certificate chain with the \
      pins: `sdkctl pin check` checks all pinned hosts. It sends no request.

      It prints one line per host: the host, the result and the pin that matched, separated by \
      tabs. The result is `match`, `mismatch`, `expired`, `unpinned`, `untrusted` or \
      `unreachable`. The exit status is 11 if a host has no pinned key, and 6 if hosts only could \
      not be reached.
      """,
    examples: [("sdkctl pin check", "Check all pinned hosts, for example from cron")],
    exitCodes: [3, 6, 11], seeAlso: ["pins"],
    json: """
      An array of objects: `host`, `port`, `status`, `matched` (a pin or null), `chain` (pins \
      with `role` and `subject`) and `message`.
      """,
    needs: [.network])

  struct Arguments: Sendable {
    var hosts: [String] = []
  }

  static let defaults = Arguments()

  static let operands: [Operand<Arguments>] = [
    .any("HOST", \.hosts, "A host, HOST:PORT or URL").completing(.dynamic("pinned-hosts"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws(Failure) {
    let session = try context.session()
    let places = try places(arguments, session)
    let results = await PinDrift.check(places, session, at: context.now())
    if context.globals.json {
      context.print(.array(results.map(\.json)))
    } else {
      for result in results {
        context.print(
          "\(result.place.description)\t\(result.status.rawValue)\t\(result.matched?.description ?? "-")"
        )
        if let message = result.message { context.note("\(result.place.host): \(message)") }
        for line in result.details { context.note("  \(line)") }
      }
    }
    let bad = results.filter { $0.status != .match }
    if bad.isEmpty { return }
    throw .silent(bad.allSatisfy { $0.status == .unreachable } ? .network : .verification)
  }

  /// A pinned host is checked at the port that the profile uses, else at port 443.
  private static func places(
    _ arguments: Arguments, _ session: ProfileSession
  ) throws(Failure) -> [PinPlace] {
    let used = PinReview.places(of: session.profile)
    func known(_ host: String) -> [PinPlace] {
      let places = used.filter { $0.host == host }
      return places.isEmpty ? [PinPlace(host: host, port: 443)] : places
    }
    if arguments.hosts.isEmpty { return session.pins.sets.flatMap { known($0.host) } }
    var places: [PinPlace] = []
    for text in arguments.hosts {
      guard let place = PinPlace(text) else { throw .usage("'\(text)' is not a host name") }
      let namesPort = text.containsText("://") || text.hasSuffix(":\(place.port)")
      places += namesPort ? [place] : known(place.host)
    }
    return places
  }
}
