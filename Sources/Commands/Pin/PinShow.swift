import Arguments
import JSON
import Pinning
import SDKCore

/// `sdkctl pin show` -- show the chain of a host beside its pins.
enum PinShow: Command {
  static let page = CommandInfo(
    name: "show", summary: "Show the certificate chain of a host and its pins",
    description: """
      Connects to a host, sends no request, and prints its certificates beside the pins: \
      `sdkctl pin show api.example.com`. The host need not be pinned, and without a profile there are \
      no pins: the chain is shown all the same.

      The certificates stand as a tree, from the root to the leaf. The column SERVED is the position \
      in what the server sent, VALIDATED that in the path which was validated, from the leaf; only \
      keys of the validated path count. Under each certificate are its issuer, its validity, the type \
      of its key, its pin and where that is pinned, and the SHA-256 of the whole certificate, \
      which is not a pin.

      The line `revocation` is what the issuer says about the certificate, if the server staples an OCSP \
      response (RFC 6066): `good`, `revoked`, `unknown`, `none` or `invalid`. It changes nothing else; see \
      {pin check}.

      With `--offline` the command makes no connection, and prints the pins that apply to the host, \
      also those of a parent domain, as {pin list} does.

      The exit status is 8 if the host has no pins or if no key matches; otherwise it is that of \
      {pin check}. Without a profile it is 0 if the chain is trusted.
      """,
    examples: [
      ("sdkctl pin show api.example.com", "Look at a server before it is pinned"),
      (
        "sdkctl pin show api.example.com --connect-to ::192.0.2.7:",
        "Look at a new server before the DNS changes"
      ),
      ("sdkctl pin show api.example.com --offline", "Show the pins only"),
    ],
    exitCodes: [11], seeAlso: ["pin add", "pin check", "pin hash", "pins"],
    json: """
      An array of objects, one for each port of the host that the profile uses: `host`, `port`, \
      `status` (that of `pin check`), `message`, `pins` (as `pin list`, or null), \
      `verificationError`, `served` and `validated`. The last two are arrays of objects, leaf first: \
      `subject`, `issuer`, `notBefore`, `notAfter`, `keyType`, `role` (in `validated`), `pin`, \
      `pinned` (null, or an object with `pattern`, `role` and `label`) and `certificateSHA256`, \
      which is not a pin. `revocation` is null, or an object with `state`, `updated`, `next`, `revoked` and \
      `reason`. With `--offline` as `pin list`, with one host.
      """,
    needs: .network)

  struct Arguments: CommandArguments {
    var host = ""
    var offline = false
    var connection = ConnectionArguments()
  }

  static let options: [Option<Arguments>] =
    [
      .flag("offline", \.offline, "Show the pins only, without a connection")
    ]
    + .group(.connection, ConnectionArguments.options.of(\.connection))

  static let operands: [Operand<Arguments>] = [
    .one("HOST", \.host, "A host, HOST:PORT or a URL").completing(.dynamic("pinned-hosts"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard let place = PinEndpoint(arguments.host) else { throw Failure.notHost(arguments.host) }
    if arguments.offline { return try showPins(of: place, context) }
    guard try context.hasProfile() else {
      return try await showChain(of: place, arguments, context)
    }
    let session = try context.session { arguments.connection.apply(to: &$0) }
    let targets = try PinTargets([arguments.host], session, context)
    let now = context.now()
    var trees: [PinTree] = []
    for endpoint in targets.endpoints {
      trees.append(
        PinTree(
          finding: await session.pinning.inspect(endpoint, until: now),
          set: session.pins.set(for: endpoint.host, port: endpoint.port)))
    }
    print(trees, context)
    if let bare = trees.first(where: { $0.set == nil }) { throw bare.notPinned(in: context) }
    if let exit = trees.map(\.finding).exit { throw Failure.silent(exit) }
  }

  private static func showChain(
    of place: PinEndpoint, _ arguments: Arguments, _ context: Context
  ) async throws {
    var options = try context.options()
    arguments.connection.apply(to: &options)
    let finding = await ChainProbe(options, over: context.network).inspect(
      place)
    print([PinTree(finding: finding, set: nil)], context)
    if finding.status != .unpinned, let exit = [finding].exit { throw Failure.silent(exit) }
  }

  private static func print(_ trees: [PinTree], _ context: Context) {
    if context.globals.json {
      context.print(.array(trees.map(\.json)))
    } else {
      for line in trees.flatMap(\.lines) { context.print(line) }
    }
  }

  private static func showPins(of place: PinEndpoint, _ context: Context) throws {
    guard let set = try context.pinSets().set(for: place.host, port: place.port) else {
      throw Failure.notPinned(place, context)
    }
    if set.isExpired(at: context.now()) {
      context.note("these pins have expired, so the host is refused")
    }
    context.printPins([set])
  }
}

extension PinTree {
  fileprivate func notPinned(in context: Context) -> Failure {
    .notPinned(finding.endpoint, context)
  }
}

extension Failure {
  fileprivate static func notPinned(_ place: PinEndpoint, _ context: Context) -> Failure {
    var failure = Failure(.pin, "host_not_pinned", "could not find pins for \(place.host)")
    if let profile = try? context.profileName() {
      failure.hints = [Remedy.pinHost(place.name).commandLine(for: profile)]
    }
    return failure
  }
}
