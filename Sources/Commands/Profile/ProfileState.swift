import HTTP
import JSON
import Pinning
import Primitives
import SDKCore

/// What a profile has become: registered, logged in, pinned.
struct ProfileState {
  let registration: Registration?
  let userID: UserID
  /// The name of the user, as the provider has it.
  let userName: String?
  let user: AuthorizationProvider?
  let implicit: TokenSet?
  let anonymous: TokenSet?
  /// The thumbprint of the key that tokens are bound to.
  let dpopKey: String?
  let pinSets: [PinSet]
  /// The policy of the profile: of hosts without pins, and of sets that do not have their own.
  let pinPolicy: PinPolicy
  let directories: [String]
  /// The file or directory of the trusted authorities.
  let authorities: String?

  init(_ session: ProfileSession) async throws(SDKError) {
    registration = try await session.registration.usable()
    userID = session.userID
    userName = await session.tokens.inventory().first { $0.slot == .user }?.userName
    user = try await session.tokens.provider(in: .user)
    implicit = try await session.tokens.stored(in: .implicit)
    anonymous = try await session.tokens.stored(in: .anonymous)
    dpopKey = try await session.tokens.dpopThumbprint()
    pinSets = session.pins.sets
    pinPolicy = session.profile.pinPolicy
    directories = session.directories
    authorities = session.authorities
  }

  var json: JSON {
    [
      "registered": .bool(registration != nil),
      "clientID": JSON(registration?.clientID),
      "certificate": registration?.certificate?.json ?? .null,
      "userID": .string(userID.description), "userName": JSON(userName),
      "user": userSlot, "implicit": slot(implicit), "anonymous": slot(anonymous),
      "dpopKey": JSON(dpopKey),
      "pinnedHosts": .strings(pinSets.map(\.pattern.description)),
      "unenforcedHosts": .strings(unenforced.map(\.pattern.description)),
      "authorities": JSON(authorities),
      "files": .strings(directories),
    ]
  }

  func lines(at now: Timestamp) -> [String] {
    let client = registration.map { "registered as \($0.clientID)" } ?? "not registered"
    let hosts = pinSets.map { set in
      "\(set.pattern)\(unenforced.contains(set) ? " (not enforced)" : "")"
    }
    let pins = hosts.isEmpty ? "no host is pinned" : "pinned: \(hosts.joined(separator: ", "))"
    let warnings =
      pinPolicy == .enforce
      ? [] : ["warning: pinPolicy=report: tokens are sent to servers without a pinned key"]
    let keys = [
      registration?.certificate.map { "client certificate \($0.line(at: now))" },
      dpopKey.map { "DPoP key: \($0)" },
    ]
    return [client] + keys.compactMap { $0 } + [
      "user\(userLabel): \(userWords(at: now))", "implicit: \(words(implicit, at: now))",
      "anonymous: \(words(anonymous, at: now))", pins,
    ] + warnings + [
      "trusted authorities: \(authorities ?? "those of libcurl")"
    ]
  }

  /// The sets whose mismatches are only reported.
  private var unenforced: [PinSet] { pinSets.filter { ($0.policy ?? pinPolicy) == .report } }

  private var userLabel: String {
    let id = userID == .standard ? "" : " '\(userID)'"
    return id + (userName.map { " (\($0))" } ?? "")
  }

  private var userSlot: JSON {
    guard case .cookies(let session) = user else { return slot(user?.tokens) }
    return [
      "provider": "cookies", "cookies": .strings(session.cookies.map(\.name)),
      "expires": JSON(session.expires?.description), "scope": .null,
      "refreshable": .bool(false),
    ]
  }

  func userWords(at now: Timestamp) -> String {
    guard case .cookies(let session) = user else { return words(user?.tokens, at: now) }
    let names = session.cookies.map { Visible.line($0.name) }.joined(separator: ", ")
    let end = session.expires.map { Age.text(of: $0, at: now) } ?? "no known end"
    return "cookies of a login by form (\(names)), \(end)"
  }

  private func slot(_ tokens: TokenSet?) -> JSON {
    guard let tokens else { return .null }
    return [
      "expires": JSON(tokens.expires?.description),
      "scope": JSON(tokens.scope),
      "refreshable": .bool(tokens.canBeRefreshed), "sealed": .bool(tokens.isSealed),
    ]
  }

  private func words(_ tokens: TokenSet?, at now: Timestamp) -> String {
    guard let tokens else { return "no token" }
    guard let expires = tokens.expires else {
      return "a token without a known end\(tokens.renewal)"
    }
    return "a token that \(Age.text(of: expires, at: now))\(tokens.renewal)"
  }
}
