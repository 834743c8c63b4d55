import Arguments
import HTTP
import JSON
import Primitives
import SDKCore
import SharedStore

enum ProfileStoreShow: Command {
  static let page = CommandInfo(
    name: "store show", summary: "Show where the profile keeps its secrets",
    description: """
      Prints the place of the registration, the tokens and the key that tokens are bound to: `files`, or \
      `helper:NAME`, or `etcd:https://HOST:PORT/PREFIX`. {profile show} lists each secret. See {profile store \
      move}.

      Of a shared store, it also prints each node of the cluster, each document with its revision and the id \
      of its key, and each lock with its holder.
      """,
    examples: [("sdkctl profile store show", "Print the place")],
    exitCodes: [9], seeAlso: ["profile store move", "profile show"],
    output: StoreReport.rows.document, needs: .network)

  typealias Arguments = NoArguments

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let name = try context.profileName()
    let store = try context.store()
    let report = StoreReport(
      profile: name, status: try store.place(of: name),
      shared: try await store.sharedStatus(of: name))
    if context.globals.json { return context.print(StoreReport.rows.json(report)) }
    context.print(report.status.place.description)
    for row in report.shared?.lines ?? [] { context.print(fields: row) }
    if let other = report.status.unfinished {
      context.warning(
        "a move did not end; '\(other)' may hold some of the secrets too",
        hint: ShellWord.sdkctl(of: name, "profile", "store", "move", report.status.place))
    }
  }
}

/// Where a profile keeps its secrets.
struct StoreReport {
  let profile: ProfileName
  let status: SecretPlaceStatus
  var shared: SharedStoreStatus?

  /// Of what this machine knows by itself.
  static let place = Rows<StoreReport>(
    .member("profile", "the profile") { $0.profile.description },
    .member("place", "the place") { $0.status.place.description },
    .member("unfinished", "a place that may hold some secrets too, because a move did not end") {
      $0.status.unfinished?.description
    })

  static let rows = Rows<StoreReport>(
    place.members + [
      .list(
        "nodes", "the nodes of a shared store", isOptional: true,
        Rows(
          .member("endpoint", "its address") { $0.endpoint.origin },
          .member("version", "its version") { $0.version },
          .member("leader", "whether it leads") { $0.isLeader },
          .member("error", "why it cannot be used") { $0.error?.message })
      ) { $0.shared?.nodes },
      .list(
        "documents", "its documents", isOptional: true,
        Rows(
          .member("path", "the path") { $0.path },
          .member("revision", "the revision") { $0.revision },
          .member("key", "the id of its key") { $0.key },
          .member("removed", "whether it was removed") { $0.isRemoved },
          .member("error", "why it cannot be read") { $0.error?.message })
      ) { $0.shared?.documents },
      .list(
        "locks", "the locks that are held", isOptional: true,
        Rows(.member("path", "the document") { $0.path }, .member("holder", "who") { $0.holder })
      ) { $0.shared?.locks },
    ])
}

extension SharedStoreStatus {
  fileprivate var lines: [[String]] {
    let nodes = nodes.map { node in
      let state = node.error?.message ?? "version \(node.version ?? "unknown")"
      return ["node", node.endpoint.authority, state + (node.isLeader ? ", leader" : "")]
    }
    let documents = (documents ?? []).map { document in
      let state = document.key.map { "key \($0)" } ?? document.error?.message ?? ""
      return [
        "document", document.path, "revision \(document.revision)",
        state + (document.isRemoved ? ", removed" : ""),
      ]
    }
    return nodes + documents + locks.map { ["lock", $0.path, $0.holder] }
  }
}
