import JSON
import POSIX
import Primitives

/// A kind of file of a profile: where it is, what of it is secret, and who may have it.
///
/// Who lists, checks, exports, moves, seals or erases files of a profile reads this table.
package struct ProfileFile: Sendable {
  /// Its path below the directory of the profile, or of the user; `*` stands for the start of any name, and alone for
  /// the name of an identity.
  package let pattern: String
  package let summary: String
  package var entry = StoreLayout.Entry.document(.secret)
  package var area = StoreLayout.Area.state
  var isOfUser = false
  /// As what it is listed; `nil` if it has no secret.
  var kind: StoredSecretFile.Kind?
  /// What is held while it is changed; `nil` for what one write changes.
  var lock: ProfileLock?
  /// As what a passcode can seal it; `nil` if it cannot.
  var part: SealedPart?
  /// The members that a passcode seals: `client.client_secret`.
  var secrets: [String] = []
  /// Whether an export with all secrets has it.
  var isExported = false
  /// Whether an export with the credentials of the client alone has it too.
  var isCredential = false
  /// Whether it can be in another place than files.
  var isMovable = false

  package static let registration = ProfileFile(
    pattern: "registration.json", summary: "The registration, with client credentials",
    kind: .registration, lock: .registration, part: .client,
    secrets: ["key", "encryptionKey", "client.client_secret", "client.registration_access_token"],
    isExported: true, isCredential: true, isMovable: true)
  static let dpopKey = ProfileFile(
    pattern: "dpop.json", summary: "The key that tokens are bound to (DPoP)", isOfUser: true,
    kind: .dpopKey, lock: .dpop, part: .dpop,
    secrets: ["pem"], isExported: true, isMovable: true)
  static let seal = ProfileFile(
    pattern: "seal.json", summary: "The key of what is sealed, under the passcode", isOfUser: true,
    kind: .seal, lock: .seal, isExported: true)
  static let identity = ProfileFile(
    pattern: "identities/*/identity.json", summary: "A client certificate with its key",
    kind: .identity, lock: .identities, part: .identity,
    secrets: ["key.pem"], isExported: true, isCredential: true)
  static let requestedIdentity = ProfileFile(
    pattern: "identities/*/request.json", summary: "The key of a certificate request",
    kind: .identity, lock: .identities, part: .identity,
    secrets: ["key.pem"])
  /// The copy of key and chain for other programs, which goes when the key is sealed.
  static let publishedIdentity = ProfileFile(
    pattern: "identities/*/client.pem",
    summary: "A client certificate with its key, for other programs", entry: .secret,
    kind: .identity, lock: .identities,
    part: .identity)

  package static func tokens(_ slot: CredentialSlot) -> ProfileFile {
    ProfileFile(
      pattern: "credentials/\(slot.rawValue).json",
      summary: "The tokens of the slot \(slot.rawValue)", isOfUser: true, kind: .tokens,
      lock: slot.lock,
      part: SealedPart(slot), secrets: ["refreshToken"], isExported: true, isMovable: true)
  }

  /// All of them; those that can be in another place in the order of their locks.
  package static let all: [ProfileFile] =
    [registration] + [CredentialSlot.implicit, .user, .anonymous].map(tokens) + [
      ProfileFile(
        pattern: "credentials/derived/*.json",
        summary: "Tokens for other services, until they expire", isOfUser: true, kind: .tokens),
      dpopKey, seal, identity, requestedIdentity, publishedIdentity,
      ProfileFile(
        pattern: "authenticators/*.json",
        summary: "The FIDO keys of an authenticator, with their counters", kind: .authenticator,
        lock: .authenticators),
      ProfileFile(
        pattern: "dispatch-targets.json",
        summary: "The keys of dispatch targets that were created here", kind: .dispatchTargets),
      ProfileFile(
        pattern: "backup-keys/*.key", summary: "A backup key of a server", entry: .secret,
        kind: .backupKey),
      ProfileFile(
        pattern: "backup-keys/*.csr", summary: "The certificate request of a backup key",
        entry: .secret),
      ProfileFile(
        pattern: "store-key.json", summary: "The keys of a shared store", kind: .storeKey),
      ProfileFile(
        pattern: ProfileUser.choice, summary: "The current user", lock: .profile, isExported: true),
      ProfileFile(
        pattern: "place.json", summary: "Where registration and tokens are, if not in these files"),
      ProfileFile(pattern: "pin-history.json", summary: "The keys that hosts have shown"),
      ProfileFile(pattern: "pin-updates.json", summary: "The last signed pin set of each signer"),
      ProfileFile(
        pattern: "payload.json", summary: "Whether the server demands encrypted payloads",
        entry: .document(.shared)),
      ProfileFile(pattern: "locks/*.lock", summary: "Locks, which processes hold", entry: .lock),
      ProfileFile(
        pattern: "profile.json", summary: "The settings; no secret", entry: .document(.shared),
        area: .config),
      ProfileFile(
        pattern: "pins.json", summary: "The pins; no secret", entry: .document(.shared),
        area: .config),
    ]

  /// The member of a document that has, by their paths, its secret members that are encrypted to the key of a seal.
  static let sealedMember = "sealed"

  /// The name of the identity that a registration made.
  static let clientIdentity = "registration"

  /// The settings and the pins, of which a shared place has a copy for the machines that join.
  package static let (settings, pins) = ("profile", "pins")

  package static let newestKey = "newest-key"

  package static let ofUser = all.filter { $0.isMovable && $0.isOfUser }
}

extension ProfileFile {
  /// The path of a document that has one name, below the profile: it names the document in every place.
  package func path(of user: UserID) -> String {
    Self.withoutEnd(isOfUser ? ProfileUser.path(of: pattern, user) : pattern)
  }

  static func movable(_ users: [UserID]) -> [String] {
    [registration.path(of: .standard)] + users.flatMap { user in ofUser.map { $0.path(of: user) } }
  }

  /// The files that a user has, by their paths below the profile; `state` is the directory of that.
  ///
  /// One of a pattern without names is among them whether it exists or not.
  func files(of user: UserID, in state: String) throws(SystemError) -> [String] {
    guard isOfUser || user == .standard else { return [] }
    var paths = [isOfUser ? ProfileUser.prefix(user) : ""]
    for (index, part) in pattern.split(separator: "/").enumerated() {
      var found: [String] = []
      for path in paths {
        let start = path + (index == 0 ? "" : "/")
        guard part.first == "*" else { found.append(start + part); continue }
        let directory = "\(state)/\(path)"
        guard (try? FileStatus.of(directory))?.kind == .directory else { continue }
        let names = try Directory.entries(directory).sorted()
        found += names.filter { Self.matches(part, $0) }.map { start + $0 }
      }
      paths = found
    }
    return paths
  }

  /// The same, documents without `.json`.
  func documents(
    of user: UserID, _ profile: ProfileName, at location: StoreLocation
  ) throws(SDKError) -> [String] {
    do throws(SystemError) {
      return try files(of: user, in: location.state(of: profile)).map(Self.withoutEnd)
    } catch {
      throw SDKError(.store, "could not list the files of '\(profile)': \(error)")
    }
  }

  private static func withoutEnd(_ path: String) -> String {
    path.hasSuffix(".json") ? String(path.dropLast(".json".utf8.count)) : path
  }

  /// The file of a path below a profile; `nil` for a path that none has.
  static func row(at path: String) -> ProfileFile? {
    var names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isNamed = names.count >= 3 && names[0] == ProfileUser.folder
    if isNamed {
      guard let user = try? UserID(names[1]), user != .standard else { return nil }
      names.removeFirst(2)
    }
    return all.first { row in
      let parts = row.pattern.split(separator: "/")
      return (row.isOfUser || !isNamed) && row.area == .state && parts.count == names.count
        && zip(parts, names).allSatisfy(matches)
    }
  }

  private static func matches(_ part: Substring, _ name: String) -> Bool {
    StoreLayout.matches(part, name)
      && (part != "*" || (try? IdentityName(name))?.description == name)
  }

  /// As what a passcode can seal the file of a path; the identity of the client is sealed with it.
  func parts(at path: String) -> Set<SealedPart> {
    guard let part else { return [] }
    return path.hasPrefix("identities/\(ProfileFile.clientIdentity)/") ? [part, .client] : [part]
  }
}

extension ProfileFile: Hashable {
  package static func == (one: ProfileFile, other: ProfileFile) -> Bool {
    one.pattern == other.pattern
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(pattern) }
}

/// What a passcode can seal of a profile, as `seal.json` and the commands name it.
public enum SealedPart: String, Sendable, Hashable, CaseIterable {
  /// The refresh token of that slot.
  case user, implicit, anonymous
  /// The secret of the client, its keys, and its registration access token.
  case client
  /// The key that tokens are bound to.
  case dpop
  /// The keys of identities that have no passphrase of their own.
  case identity

  /// The refresh token of a slot.
  public init(_ slot: CredentialSlot) { self = SealedPart(rawValue: slot.rawValue) ?? .user }

  /// Whether it belongs to the profile and not to one of its users: then the first user's passcode seals it.
  public var isOfProfile: Bool { self == .client || self == .identity }
}

package struct StoreLayout: Sendable {
  package enum Area: Sendable, Hashable, CaseIterable {
    case config, state, cache
  }

  package enum Entry: Sendable, Hashable {
    case directory
    /// A JSON document with a version.
    case document(StoreDocument.Secrecy)
    /// What a server has told; without it one more request is sent.
    case cached
    /// Another file for its owner's eyes only, such as a key.
    case secret
    /// An empty file that processes lock.
    case lock
    /// What another program has there: the sockets of a process that waits, or a directory that is not looked into.
    case other
  }

  /// What may be at a path below an area, a member of `names` for each level; none for what is foreign.
  package static func entries(_ names: [String], in area: Area) -> [Entry] {
    var found: [Entry] = []
    for (pattern, entry) in patterns[area] ?? [] {
      if matches(pattern, names) {
        found.append(entry)
      } else if pattern.count > names.count, zip(pattern, names).allSatisfy(matches) {
        found.append(.directory)
      }
    }
    return found
  }

  static func matches(_ pattern: [Substring], _ names: [String]) -> Bool {
    pattern.count == names.count && zip(pattern, names).allSatisfy(matches)
  }

  /// `*` stands for any name, and for the start of one.
  static func matches(_ pattern: Substring, _ name: String) -> Bool {
    guard pattern.first == "*" else { return pattern == name }
    return name.hasSuffix(String(pattern.dropFirst())) && !name.hasPrefix(".")
  }

  private static let patterns: [Area: [(pattern: [Substring], entry: Entry)]] = {
    var rows: [(Area, String, Entry)] = [
      (.config, "config.json", .document(.shared)), (.state, "profiles.lock", .lock),
      (.state, "pending/*", .other), (.state, "sandbox", .other), (.cache, "*/*.json", .cached),
    ]
    for file in ProfileFile.all {
      for profile in ["profiles/*/"] + (file.isMovable ? ["profiles/*/shared/*/"] : []) {
        for user in [""] + (file.isOfUser ? ["\(ProfileUser.folder)/*/"] : []) {
          rows.append((file.area, profile + user + file.pattern, file.entry))
        }
      }
    }
    for file in [ProfileFile.settings, ProfileFile.pins, ProfileFile.newestKey] {
      rows.append((.state, "profiles/*/shared/*/\(file).json", .document(.secret)))
    }
    return Dictionary(grouping: rows, by: \.0).mapValues {
      $0.map { (pattern: $0.1.split(separator: "/"), entry: $0.2) }
    }
  }()
}
