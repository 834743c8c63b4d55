import Arguments
import JSON
import PinFormats
import Pinning
import Primitives
import SDKCore

enum PinShow: Command {
  static let page = CommandInfo(
    name: "show", summary: "Show the certificates of a host or a file",
    description: """
      Connects to a host, sends no request, and prints its certificates beside the pins: \
      `sdkctl pin show api.example.com`. The host need not be pinned, and without a profile there are \
      no pins: the chain is shown all the same.

      The certificates stand as a tree, from the root to the leaf. The column SERVED is the position \
      in what the server sent, VALIDATED that in the path which was validated, from the leaf; only \
      keys of the validated path count. Under each certificate are its contents, its pin, and where that is pinned.

      A file (PEM, DER, PKCS #7 or PKCS #12, `-` for standard input) is shown in the same way, without a connection.

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
      ("sdkctl pin show server.crt", "Show the certificates of a file"),
    ],
    exitCodes: [11], seeAlso: ["pin add", "pin check", "pin hash", "pins"],
    output: PinTree.rows.list, needs: .network)

  struct Arguments: CommandArguments {
    var source = ""
    var offline = false
    var files = PinFileArguments()
    var connection = ConnectionArguments()
  }

  static let options: [Option<Arguments>] =
    [
      .flag("offline", \.offline, "Show the pins only, without a connection")
    ]
    + .group(.passwords, PinFileArguments.options.of(\.files))
    + .group(.connection, ConnectionArguments.options.of(\.connection))

  static let operands: [Operand<Arguments>] = [
    .one("HOST|FILE", \.source, "A host, HOST:PORT, a URL, a file or -")
      .completing(.dynamic("pinned-hosts")).input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    switch try PinSource(arguments.source) {
    case .pin: throw Failure.usage("could not show a pin: it has no certificate")
    case .file(let file): try await showFile(file, arguments, context)
    case .server(let place) where arguments.offline: try showPins(of: place, context)
    case .server(let place): try await showChains(of: place, arguments, context)
    }
  }

  /// Shows the chains of a host: with a profile beside its pins, at each port that the profile uses.
  private static func showChains(
    of place: PinEndpoint, _ arguments: Arguments, _ context: Context
  ) async throws {
    var trees: [PinTree] = []
    let hasProfile = try context.hasProfile()
    if hasProfile {
      let session = try context.session { arguments.connection.apply(to: &$0) }
      for endpoint in try PinTargets([arguments.source], session, context).endpoints {
        trees.append(
          PinTree(
            await session.pinning.inspect(endpoint),
            session.pins.set(for: endpoint.host, port: endpoint.port)))
      }
    } else {
      var options = try context.options()
      arguments.connection.apply(to: &options)
      let probe = ChainProbe(options, over: context.network)
      trees = [PinTree(await probe.inspect(place), nil)]
    }
    print(trees, context)
    if hasProfile, let bare = trees.first(where: { $0.set == nil })?.endpoint {
      throw Failure.notPinned(bare, context)
    }
    // Without a profile nothing is pinned.
    let findings = trees.compactMap(\.finding).filter { hasProfile || $0.status != .unpinned }
    if let exit = findings.exit { throw Failure.silent(exit) }
  }

  private static func showFile(
    _ file: String, _ arguments: Arguments, _ context: Context
  ) async throws {
    var reader = try arguments.files.reader(context)
    let certificates = try await reader.keys(in: file).compactMap(\.certificate)
    guard !certificates.isEmpty else {
      throw Failure(
        .noCertificate, "could not show '\(file)': it has no certificate",
        hints: [ShellWord.sdkctl("pin", "hash", file)])
    }
    if context.globals.json {
      print([PinTree(certificates: certificates)], context)
    } else {
      for certificate in certificates {
        context.print("\(certificate.role.rawValue) \(certificate.subject)")
        for line in certificate.lines(context.localTime) { context.print("  \(line)") }
      }
    }
  }

  private static func print(_ trees: [PinTree], _ context: Context) {
    if context.globals.json {
      context.print(trees, PinTree.rows)
    } else {
      for line in trees.flatMap({ $0.lines(context.localTime) }) { context.print(line) }
    }
  }

  private static func showPins(of place: PinEndpoint, _ context: Context) throws {
    guard let set = try context.pinSets().set(for: place.host, port: place.port) else {
      throw Failure.notPinned(place, context)
    }
    if set.isExpired(at: context.now()) {
      context.note("these pins have expired, so the host is refused")
    }
    guard context.globals.json else { return context.print([set], PinSet.rows) }
    context.print([PinTree(place, set)], PinTree.rows)
  }
}

extension Failure {
  fileprivate static func notPinned(_ place: PinEndpoint, _ context: Context) -> Failure {
    var failure = Failure(.notPinned, "could not find pins for \(place.host)")
    if let profile = try? context.profileName() {
      failure.hints = [Remedy.pinHost(place.name).commandLine(for: profile)]
    }
    return failure
  }
}
