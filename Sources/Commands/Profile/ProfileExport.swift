import Arguments
import JSON
import SDKCore

enum ProfileExportCommand: Command {
  static let page = CommandInfo(
    name: "export", summary: "Write a profile into one document",
    description: """
      Writes the profile as one JSON document, which {profile import} reads: `sdkctl profile export \
      --share -o work.json`.

      `--share` writes the settings and the pins. They contain no secret: files of passwords are named, but \
      not included.

      `--with-secrets` writes the registration with the credentials of the client, and the client certificates \
      with their keys too. `--tokens` adds the tokens of all slots and the key that they are bound to. All of \
      it is encrypted under a passphrase (scrypt, AES-256-GCM), which is asked for on the terminal or read \
      from `--passphrase-file`. What is sealed stays sealed under its own passphrase or passcode.

      Two installations with the same tokens disturb each other: if the server replaces refresh tokens, the \
      second one that refreshes ends the login of both. Use `--tokens` to move a profile. FIDO keys, backup \
      keys of pins and tokens for other services are not exported: a copied FIDO key is taken for a forged one.
      """,
    examples: [
      ("sdkctl profile export --share -o work.json", "Write what a colleague needs"),
      ("sdkctl profile export --with-secrets --tokens -o work.sealed", "Move a profile"),
    ],
    exitCodes: [14], seeAlso: ["profile import", "doctor"],
    output: output, needs: .terminal)

  private static let version = MemberDoc(ProfileDocument.mark, "2")

  private static var output: OutputDoc {
    var pins = MemberDoc("pins", "the pins")
    pins.isAbsent = true
    return OutputDoc(
      .document, [version, MemberDoc("profile", "the settings"), pins],
      others: "The document is JSON with the option or without."
    )
    .or(
      "With `--with-secrets`",
      OutputDoc(.document, [version, MemberDoc("sealed", "what is encrypted")]))
  }

  struct Arguments: CommandArguments {
    var share = false
    var withSecrets = false
    var tokens = false
    var output: String?
  }

  static let options: [Option<Arguments>] = [
    .flag("share", \.share, "Write settings and pins, no secrets").exclusive("content"),
    .flag("with-secrets", \.withSecrets, "Write secrets too, under a passphrase")
      .exclusive("content"),
    .flag("tokens", \.tokens, "Write the tokens too").needs("with-secrets"),
    .value("output", short: "o", "FILE", \.output, "Write to this file, mode 0600").completing(
      .file),
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    guard arguments.share || arguments.withSecrets else {
      throw Failure.usage("could not export the profile: --share or --with-secrets is missing")
    }
    let name = try context.profileName()
    let target = try KeyTarget(
      arguments.output, holdsKey: arguments.withSecrets, command: "profile export --with-secrets",
      context)
    let wanted: ProfileExport.Secrets =
      arguments.share ? .none : arguments.tokens ? .all : .credentials
    let export = try await context.store().export(name, wanted)
    let document: JSON
    if let open = arguments.share ? export.document : nil {
      document = open
    } else {
      let passphrase = try await context.newSecret(
        "passphrase", option: "passphrase", file: context.globals.passphraseFile)
      document = try await export.sealed(with: Array(passphrase.utf8))
    }
    guard !target.isOutput else { return context.print(document, .pretty) }
    try target.write(document.serializedBytes(.pretty) + [0x0A])
    context.note("exported '\(name)'" + (arguments.withSecrets ? " with its secrets" : ""))
  }
}
