import FIDO
import JSON
import Primitives
import SDKCore

/// What servers still accept after a profile was removed from this machine only.
struct Remains {
  let profile: ProfileName
  private var kept: [Kept] = []

  private struct Kept {
    let what: String
    let name: String
    var until: Timestamp?

    var line: String {
      let words =
        switch what {
        case "tokens": "the tokens of the slot \(name)"
        case "registration": "the client \(name)"
        case "identity": "the certificate \(name)"
        default: "the FIDO key of \(name)"
        }
      return "still valid at the server: \(words)" + (until.map { ", until \($0)" } ?? "")
    }

    static let rows = Rows<Kept>(
      .member("what", "`registration`, `tokens`, `identity` or `fido`") { $0.what },
      .member("name", "the client, the slot with `of ID` for a user, the identity or the user") {
        $0.name
      },
      .member("until", "when it ends") { $0.until })
  }

  static let rows = Rows<Remains>(
    .member("profile", "the profile") { $0.profile.description },
    .list("staysValid", "what the server still accepts", Kept.rows) { $0.kept })

  /// Reads what can be read: a damaged profile is removed too.
  init(_ name: ProfileName, _ context: Context) async {
    profile = name
    guard let session = try? context.with(profile: name.description).session() else { return }
    if let registration = try? await session.registration.usable() {
      kept.append(Kept(what: "registration", name: registration.clientID))
    }
    for user in (try? await session.users()) ?? [] {
      let owner = user.id == .standard ? "" : " of \(user.id)"
      for stored in user.slots {
        guard let provider = stored.provider, provider.isAccepted(at: context.now()) else {
          continue
        }
        kept.append(
          Kept(
            what: "tokens", name: stored.slot.rawValue + owner,
            until: provider.tokens?.isRefreshable == true ? nil : provider.expires))
      }
    }
    let store = session.identities.store()
    for name in (try? store.names()) ?? [] {
      guard let identity = try? store.identity(named: name) else { continue }
      let end = identity.chain.notAfter
      if end > context.now() {
        kept.append(Kept(what: "identity", name: name.description, until: end))
      }
    }
    for key in session.fido.inventory().flatMap(\.keys) {
      kept.append(Kept(what: "fido", name: key.username))
    }
  }

  var lines: [String] { kept.map(\.line) }
}

extension AuthorizationProvider {
  /// Whether a server may still accept it, or renew it.
  fileprivate func isAccepted(at now: Timestamp) -> Bool {
    tokens?.isRefreshable == true || expires.map { $0 > now } ?? true
  }
}
