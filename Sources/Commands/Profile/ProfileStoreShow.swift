import Arguments
import HTTP
import JSON
import Primitives
import SDKCore
import SharedStore

/// `sdkctl profile store show` -- show where a profile keeps its secrets.
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
    json: """
      An object with `profile`, `place` and `unfinished`: null, or another place that may hold some of the \
      secrets too, because a move did not end. For a shared store, also `nodes`: objects with `endpoint`, \
      `version` (or null), `leader` and `error` (or null); `documents` (or null): objects with `path`, \
      `revision`, `key` (or null), `removed` and `error` (or null); `locks`: objects with `path` and `holder`.
      """, needs: .network)

  typealias Arguments = NoArguments

  static func run(_ arguments: NoArguments, in context: Context) async throws {
    let name = try context.profileName()
    let store = try context.store()
    let status = try store.place(of: name)
    let shared = try await store.sharedStatus(of: name)
    guard !context.globals.json else {
      var document = status.json(of: name)
      for (member, value) in shared?.members.sorted ?? [] { document[member] = value }
      return context.print(document)
    }
    context.print(status.place.description)
    for row in shared?.rows ?? [] { context.print(fields: row) }
    if let other = status.unfinished {
      context.warning(
        "a move did not end; '\(other)' may hold some of the secrets too",
        hint: ShellWord.sdkctl(of: name, "profile", "store", "move", status.place))
    }
  }
}

extension SecretPlaceStatus {
  func json(of name: ProfileName) -> JSON {
    [
      "profile": .string(name.description), "place": .string(place.description),
      "unfinished": JSON(unfinished?.description),
    ]
  }
}

extension SharedStoreStatus {
  fileprivate var rows: [[String]] {
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

  fileprivate var members: JSONObject {
    [
      "nodes": .array(
        nodes.map { node in
          [
            "endpoint": .string(node.endpoint.origin), "version": JSON(node.version),
            "leader": .bool(node.isLeader), "error": JSON(node.error?.message),
          ]
        }),
      "documents": documents.map { documents in
        .array(
          documents.map { document in
            [
              "path": .string(document.path), "revision": .int(document.revision),
              "key": JSON(document.key), "removed": .bool(document.isRemoved),
              "error": JSON(document.error?.message),
            ]
          })
      } ?? .null,
      "locks": .array(
        locks.map { ["path": .string($0.path), "holder": .string($0.holder)] }),
    ]
  }
}
