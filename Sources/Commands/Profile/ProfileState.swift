import HTTP
import JSON
import Pinning
import Primitives
import SDKCore

/// What a profile has become: registered, logged in, pinned.
struct ProfileState {
  let registration: Registration?
  let login: LoginState
  /// The thumbprint of the key that tokens are bound to.
  let dpopKey: String?
  let pinSets: [PinSet]
  /// The policy of the profile: of hosts without pins, and of sets that do not have their own.
  let pinPolicy: PinPolicy
  let directories: [String]
  /// The file or directory of the trusted authorities.
  let authorities: String?

  init(_ session: ProfileSession, at now: Timestamp) async throws(SDKError) {
    registration = try await session.registration.usable()
    let slots = await session.tokens.inventory()
    // Who is told how secrets are protected must not be told so of a file that cannot be trusted.
    if let error = slots.lazy.compactMap(\.error).first { throw error }
    login = LoginState(
      session.profile.name, session.userID, isCurrent: try session.currentUser() == session.userID,
      isRegistered: registration != nil, slots, at: now)
    dpopKey = try await session.tokens.dpopThumbprint()
    pinSets = session.pins.sets
    pinPolicy = session.profile.pinPolicy
    directories = session.directories
    authorities = session.authorities
  }

  static let rows = Rows<ProfileState>(
    LoginState.rows.of { $0.login } + [
      .member("clientID", "the client") { $0.registration?.clientID },
      .object("certificate", "the certificate of the client", ClientCertificateChain.rows) {
        $0.registration?.certificate
      },
      .member("dpopKey", "the thumbprint of the key that tokens are bound to") { $0.dpopKey },
      .member("pinnedHosts", "the hosts with pins") { $0.pinSets.map(\.pattern.description) },
      .member("unenforcedHosts", "those of them whose policy is `report`") {
        $0.unenforced.map(\.pattern.description)
      },
      .member("authorities", "the file or directory of the trusted authorities") {
        $0.authorities
      },
      .member("files", "the directories of the profile") { $0.directories },
    ])

  func lines(_ context: Context) -> [String] {
    let client = registration.map { "registered as \($0.clientID)" } ?? "not registered"
    let hosts = pinSets.map { set in
      "\(set.pattern)\(unenforced.contains(set) ? " (not enforced)" : "")"
    }
    let pins = hosts.isEmpty ? "no host is pinned" : "pinned: \(hosts.joined(separator: ", "))"
    let warnings =
      pinPolicy == .enforce
      ? [] : ["warning: pinPolicy=report: tokens are sent to servers without a pinned key"]
    let keys = [
      registration?.certificate.map { "client certificate \($0.line(context))" },
      dpopKey.map { "DPoP key: \($0)" },
    ]
    let slots = CredentialSlot.allCases.map { slot in
      "\(slot.rawValue)\(slot == .user ? userLabel : ""): \(login[slot]?.words(local: context.localTime) ?? "no token")"
    }
    return [client] + keys.compactMap { $0 } + slots + [pins] + warnings + [
      "trusted authorities: \(authorities ?? "those of libcurl")"
    ]
  }

  /// The sets whose mismatches are only reported.
  private var unenforced: [PinSet] { pinSets.filter { ($0.policy ?? pinPolicy) == .report } }

  private var userLabel: String {
    let id = login.userID == .standard ? "" : " '\(login.userID)'"
    return id + (login[.user]?.userName.map { " (\($0))" } ?? "")
  }
}
