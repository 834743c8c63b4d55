import Arguments
import JSON
import Pinning
import Primitives
import SDKCore

/// `sdkctl pin backup` -- make a backup key and pin it.
enum PinBackup: Command {
  static let page = CommandInfo(
    name: "backup", summary: "Make a backup key for a host and pin it",
    description: """
      Makes a key pair and a certificate request for a host, and pins the key with the role \
      `backup`: `sdkctl pin backup api.example.com`. To replace the present key, the operator of \
      the host gets a certificate for the request, and uses it with the backup key. Clients that \
      have the pin accept it at once. The pin joins the pins that decide about the host: those of its \
      port (`api.example.com:8443`), or those of a pattern.

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
    ],
    seeAlso: ["pin plan", "pins"],
    json: "An object: `host`, `pattern`, `pin`, `key` and `request` (paths of files).")

  struct Arguments: CommandArguments {
    var host = ""
    var type = PrivateKeyType.p256
    var directory: String?
  }

  static let options: [Option<Arguments>] = [
    .choice("type", "TYPE", \.type, "Type of the key: p256, rsa3072, ed25519, …"),
    .value("directory", "DIR", \.directory, "Write the files into this directory")
      .completing(.file),
  ]

  static let operands: [Operand<Arguments>] = [
    .one("HOST", \.host, "The host, or HOST:PORT").completing(.dynamic("pinned-hosts"))
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard let place = PinEndpoint(arguments.host) else {
      throw Failure.notHost(arguments.host)
    }
    let session = try context.session()
    let backup = try await session.pinning.makeBackupKey(
      for: place.host, port: place.port, type: arguments.type, directory: arguments.directory)
    if context.globals.json {
      context.print([
        "host": .string(backup.host), "pattern": .string(backup.pattern.description),
        "pin": .string(backup.pin.description),
        "key": .string(backup.keyFile), "request": .string(backup.requestFile),
      ])
    } else {
      context.print(fields: ["pin", backup.pin.description])
      context.print(fields: ["key", backup.keyFile])
      context.print(fields: ["request", backup.requestFile])
      context.note(
        "pinned \(backup.pin) (backup) for \(backup.pattern); keep the key in a safe place")
    }
  }
}
