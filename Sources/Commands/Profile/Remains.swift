import FIDO
import JSON
import Primitives
import SDKCore

/// What servers still accept after a profile was removed from this machine only.
struct Remains {
  private struct Row {
    let what: String
    let name: String
    var until: Timestamp?

    private var words: String {
      switch what {
      case "tokens": "the tokens of the slot \(name)"
      case "registration": "the client \(name)"
      case "identity": "the certificate \(name)"
      default: "the FIDO key of \(name)"
      }
    }

    var line: String {
      "still valid at the server: \(words)" + (until.map { ", until \($0)" } ?? "")
    }
  }

  private var rows: [Row] = []

  /// Reads what can be read: a damaged profile is removed too.
  init(_ name: ProfileName, _ context: Context) async {
    guard let session = try? context.with(profile: name.description).session() else { return }
    if let registration = try? await session.registration.usable() {
      rows.append(Row(what: "registration", name: registration.clientID))
    }
    for user in (try? await session.users()) ?? [] {
      let owner = user.id == .standard ? "" : " of \(user.id)"
      for stored in user.slots {
        guard let provider = stored.provider, provider.isAccepted(at: context.now()) else {
          continue
        }
        rows.append(
          Row(
            what: "tokens", name: stored.slot.rawValue + owner,
            until: provider.tokens?.isRefreshable == true ? nil : provider.expires))
      }
    }
    let store = session.identities.store()
    for name in (try? store.names()) ?? [] {
      guard let identity = try? store.identity(named: name) else { continue }
      let end = identity.chain.notAfter
      if end > context.now() {
        rows.append(Row(what: "identity", name: name.description, until: end))
      }
    }
    for key in session.fido.inventory().flatMap(\.keys) {
      rows.append(Row(what: "fido", name: key.username))
    }
  }

  var lines: [String] { rows.map(\.line) }

  var json: JSON {
    .array(
      rows.map { row in
        [
          "what": .string(row.what), "name": .string(row.name),
          "until": JSON(row.until?.description),
        ]
      })
  }
}

extension AuthorizationProvider {
  /// Whether a server may still accept it, or renew it.
  fileprivate func isAccepted(at now: Timestamp) -> Bool {
    tokens?.isRefreshable == true || expires.map { $0 > now } ?? true
  }
}
