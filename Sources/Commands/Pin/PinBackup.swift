import Arguments
import Pinning
import Primitives
import SDKCore

enum PinBackup: Command {
  static let page = CommandInfo(
    name: "backup", summary: "Make backup keys for hosts and pin them",
    description: """
      Makes a key pair and a certificate request for a host, and pins the key with the role \
      `backup`: `sdkctl pin backup api.example.com`. To replace the present key, the operator of \
      the host gets a certificate for the request, and uses it with the backup key. Clients that \
      have the pin accept it at once. The pin joins the pins that decide about the host: those of its \
      port (`api.example.com:8443`), or those of a pattern. A host that has a backup key already is refused, \
      or of several hosts left out; `--another` makes one more. `@FILE` names a list of hosts (`@-` is standard \
      input); a list is worked through to its end, and the exit status is that of the worst failure.

      The files are written with mode 0600 into `backup-keys` in the state directory of the \
      profile, or into `--directory`. Move the key to a safe place that is not the server: \
      whoever steals the key of the server must not find this one.
      """,
    examples: [
      ("sdkctl pin backup api.example.com", "Make a P-256 key and pin it"),
      (
        "sdkctl pin backup api.example.com --type rsa3072 --directory /media/vault",
        "Make an RSA key on a removable disk"
      ),
      ("sdkctl pin backup @hosts.txt", "Make a key for each host of a list"),
    ],
    seeAlso: ["pin plan", "pins"],
    output: rows.stream)

  private static let rows = Rows<BackupKey>(
    .member("host", "the host") { $0.host },
    .member("pattern", "the pattern of its pins") { $0.pattern.description },
    .member("pin", "the pin") { $0.pin },
    .member("key", "the file of the key") { $0.keyFile },
    .member("request", "the file of the certificate request") { $0.requestFile })

  struct Arguments: CommandArguments {
    var hosts: [String] = []
    var type = PrivateKeyType.p256
    var directory: String?
    var another = false
  }

  static let options: [Option<Arguments>] = [
    .choice("type", "TYPE", \.type, "Type of the key: p256, rsa3072, ed25519, …"),
    .value("directory", "DIR", \.directory, "Write the files into this directory")
      .completing(.file),
    .flag("another", \.another, "Make a key although the host has a backup key"),
  ]

  static let operands: [Operand<Arguments>] = [
    .some("HOST", \.hosts, "A host, HOST:PORT or @FILE").completing(.dynamic("pinned-hosts"))
      .input()
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let hosts = try context.expanded(arguments.hosts)
    guard !hosts.isEmpty else {
      throw Failure.usage("could not make a backup key: the list is empty")
    }
    let session = try context.session()
    var failures = ListFailures()
    for host in hosts {
      do {
        try await make(host, arguments, isOne: hosts.count == 1, session, context)
      } catch {
        failures.add(error, of: hosts.count, in: context)
      }
    }
    try failures.requireNone(of: hosts.count, to: "make", "backup keys")
  }

  private static func make(
    _ host: String, _ arguments: Arguments, isOne: Bool, _ session: ProfileSession,
    _ context: Context
  ) async throws {
    guard let place = PinEndpoint(host) else { throw Failure.notHost(host) }
    // Another host of the list may have made the key of a common pattern.
    let set = try context.pinSets().set(for: place.host, port: place.port)
    if !arguments.another, let key = set?.keys.first(where: { $0.role == .backup }) {
      guard isOne else { return context.note("\(place.name) has a backup key already: \(key.pin)") }
      throw Failure(
        .hasBackup, "could not make a backup key for \(place.name): \(key.pin) is one already",
        hints: [
          ShellWord.sdkctl(of: session.profile.name, "pin", "backup", place.name) + " --another"
        ])
    }
    let backup = try await session.pinning.makeBackupKey(
      for: place.host, port: place.port, type: arguments.type, directory: arguments.directory)
    if context.globals.json {
      context.print(rows.json(backup))
    } else {
      context.print(fields: ["pin", backup.pin.description])
      context.print(fields: ["key", backup.keyFile])
      context.print(fields: ["request", backup.requestFile])
      context.note(
        "pinned \(backup.pin) (backup) for \(backup.pattern); keep the key in a safe place")
    }
  }
}
