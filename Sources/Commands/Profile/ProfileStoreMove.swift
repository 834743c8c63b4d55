import Arguments
import POSIX
import Primitives
import SDKCore
import SharedStore

enum ProfileStoreMove: Command {
  static let page = CommandInfo(
    name: "store move", summary: "Move the secrets of the profile to another place",
    description: """
      Moves the registration, the tokens and the key that tokens are bound to: `sdkctl profile store move \
      helper:secretservice`. The profile uses the new place from then on. The places are:

      * `files`: files of this machine that only you can read;
      * `helper:NAME`: the program `docker-credential-NAME` in PATH, which speaks the protocol of docker's \
      credential helpers: `pass`, `secretservice`, `osxkeychain` and others;
      * `etcd:https://HOST:PORT[,HOST:PORT...]/PREFIX`: a cluster of etcd, which other machines share; \
      `--store-key-file` names the key; {profile store key export} makes one. Settings and pins are copied too, for \
      {profile add} on the other machines. What is in a shared store is encrypted by this program; back to \
      `files` ends the login of all other machines.

      Everything is copied, read again and compared before the profile uses the copies; only then it is \
      erased in the former place. If the move fails or is interrupted, the profile uses one of the two \
      places, which has all of it, and the same command goes on. If a helper is missing, locked or slow, \
      commands fail; they never use another place instead.

      Client certificates, FIDO keys, the counters of passcodes and the sealed key of {profile seal} stay in \
      files. Tokens for other services, which {token} and the credential helpers get, are kept in files \
      only: with another place they are requested again each time.
      """,
    examples: [
      ("sdkctl profile store move helper:pass", "Keep the secrets in the password store"),
      (
        "sdkctl profile store move etcd:https://etcd1:2379,etcd2:2379/work --store-key-file work.key",
        "Share them with other machines"
      ),
      ("sdkctl profile store move files --yes", "Keep them in files again"),
    ],
    seeAlso: ["profile store show", "profile seal", "profile show"],
    output: StoreReport.place.document, needs: [.session, .terminal])

  struct Arguments: CommandArguments {
    var place: StorePlace = .files
    var store = StoreConnectionArguments()
    var yes = false
  }

  static let options: [Option<Arguments>] =
    [.yes(\.yes, "Move without asking")]
    + StoreConnectionArguments.options.of(\.store)

  static let operands: [Operand<Arguments>] = [
    .one("PLACE", \.place, "Where to: files, helper:NAME or etcd:ADDRESS")
  ]

  static func run(_ arguments: Arguments, in context: Context) async throws {
    let name = try context.profileName()
    let store = try context.store()
    if arguments.place == .files, try store.place(of: name).place != .files {
      try await context.confirm(
        "Keep the secrets of '\(name)' in files, which are not encrypted?"
          + (try store.place(of: name).place.isShared ? " Other machines lose them." : ""),
        isAgreed: arguments.yes)
    }
    if let key = try arguments.store.key(context) { try await store.addStoreKey(key, of: name) }
    let hasMoved = try await store.move(
      secretsOf: name, to: arguments.place, by: try arguments.store.connection())
    context.report(
      StoreReport(profile: name, status: try store.place(of: name)), StoreReport.place,
      hasMoved
        ? "the secrets of '\(name)' are in '\(arguments.place)'"
        : "the secrets of '\(name)' were in '\(arguments.place)' already")
  }
}

extension StorePlace: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> StorePlace {
    do {
      let place = try StorePlace(text)
      if case .shared(let address) = place { _ = try SharedAddress(address) }
      return place
    } catch {
      throw ValueError("expected files, helper:NAME or etcd:https://HOST:PORT/PREFIX")
    }
  }
}

/// How this machine reaches a shared store, as options of the commands that begin to use one.
struct StoreConnectionArguments: Sendable {
  var keyFile: String?
  var authoritiesFile: String?
  var certificateFile: String?

  /// The files by their absolute paths: other commands run in other directories.
  func connection() throws -> StoreConnection {
    StoreConnection(
      caFile: try authoritiesFile.map(Failure.absolutePath),
      certificateFile: try certificateFile.map(Failure.absolutePath)
    )
  }

  /// The text of the key file; `nil` if none is named.
  func key(_ context: Context) throws -> String? {
    try context.secret("key of the shared store", option: "store-key", file: keyFile)
  }
}

extension StoreConnectionArguments {
  /// `--store-key-file`, `--store-ca-file` and `--store-certificate-file`.
  static var options: [Option<Self>] {
    .group(
      .sharedStore,
      [
        .secret("store-key", \.keyFile, "the key of the shared store"),
        .value(
          "store-ca-file", "FILE", \.authoritiesFile,
          "Trust these authorities for the shared store"
        ).completing(.file),
        .value(
          "store-certificate-file", "FILE", \.certificateFile,
          "Show this certificate to the shared store"
        )
        .more(
          """
          A PEM file with the certificate and its private key, which only you can read. It stays where it is, \
          and is read for each request: who renews the certificate replaces the file.
          """
        ).completing(.file),
      ])
  }
}
