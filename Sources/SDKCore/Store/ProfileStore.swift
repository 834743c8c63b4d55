import JSON
import OAuth
import POSIX
import Primitives

/// The profiles on disk, and which of them is current.
///
/// Each profile has a directory, so that finding one takes the same time among ten thousand as among ten.
public struct ProfileStore: Sendable {
  /// Where it is.
  public let location: StoreLocation

  /// How machines share secrets; `nil` if the program refuses profiles that do.
  let sharing: StoreSharing?
  /// Returns places that machines share; `nil` for none.
  let sharedPlaces: StoreSharing.Places?

  /// The settings of profiles that the program knows.
  public var settings: SettingTable { table.value }
  /// When the command that uses it must have ended; `nil` for no bound.
  package var deadline: ContinuousClock.Instant?
  // Made when asked for: every command has a store, and not every one reads a profile.
  private let table: LazyValue<SettingTable>

  /// Opens a store, whose profiles share nothing with other machines; nothing is read or made yet.
  public init(
    _ location: StoreLocation,
    settings: @autoclosure @escaping @Sendable () -> SettingTable = .core
  ) {
    (self.location, table) = (location, LazyValue(settings))
    (sharing, sharedPlaces) = (nil, nil)
  }

  init(
    _ location: StoreLocation, _ sharing: StoreSharing?,
    _ settings: @autoclosure @escaping @Sendable () -> SettingTable, over network: PlaceNetwork
  ) {
    (self.location, self.sharing, table) = (location, sharing, LazyValue(settings))
    sharedPlaces = sharing?.places(network)
  }

  package func secretDocuments(
    of name: ProfileName, _ user: UserID = .standard
  ) -> ProfileSecrets {
    ProfileSecrets(location: location, profile: name, user: user, sharedPlaces: sharedPlaces)
  }

  /// The names of all profiles, those of the site included, sorted.
  ///
  /// - Throws: ``SDKError/Code/store`` if the directory cannot be read.
  public func names() throws(SDKError) -> [ProfileName] {
    let own = try names(in: location.profiles)
    guard let site = location.site, let ofSite = try? names(in: site + "/profiles") else {
      return own
    }
    return Set(own + ofSite).sorted()
  }

  private func names(in directory: String) throws(SDKError) -> [ProfileName] {
    try attempt("could not list the profiles", as: .store) {
      try Directory.entriesIfPresent(directory).compactMap { try? ProfileName($0) }.filter {
        FileStatus.exists("\(directory)/\($0)/profile.json")
      }.sorted()
    }
  }

  /// Reads a profile.
  ///
  /// - Throws: ``SDKError/Code/noProfile`` when there is none of that name.
  public func profile(_ name: ProfileName) throws(SDKError) -> Profile {
    try profile(name, settings)
  }

  func profile(_ name: ProfileName, _ settings: SettingTable) throws(SDKError) -> Profile {
    guard let document = try document(of: name) else { throw noProfile(name) }
    do {
      return try Profile(name: name, members: document.members, settings: settings)
    } catch {
      throw SDKError(
        error.code, "\(error.message) (in '\(document.path)')", remedy: error.remedy)
    }
  }

  /// Reads a profile that may have values which only an older version accepted.
  package func uncheckedProfile(_ name: ProfileName) throws(SDKError) -> Profile {
    guard let document = try document(of: name) else { throw noProfile(name) }
    return Profile(unchecked: name, members: document.members, settings: settings)
  }

  /// Whether there is a profile of that name, of the user or of the site.
  public func contains(_ name: ProfileName) -> Bool { isOwn(name) || isOfSite(name) }

  func isOwn(_ name: ProfileName) -> Bool { FileStatus.exists(path(name).text) }

  /// The settings on disk: the user's, else the site's; `nil` if there are none.
  func document(of name: ProfileName) throws(SDKError) -> StoreDocument? {
    if let own = try StoreDocument.read(path(name), .shared) { return own }
    guard let path = location.siteFile("profiles/\(name)/profile.json") else { return nil }
    return try StoreDocument.read(path, .site)
  }

  /// Writes a profile; over a file that this version cannot read it writes nothing.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if a value is wrong; ``SDKError/Code/store``
  ///   if the file cannot be written.
  public func save(_ profile: Profile) throws(SDKError) {
    try profile.check()
    _ = try StoreDocument.read(path(profile.name), .shared)
    try StoreDocument(path: path(profile.name), secrecy: .shared, members: profile.members).write()
  }

  /// Writes a profile that must be new; the first one becomes the current one.
  ///
  /// What a former profile of that name left behind is removed: none of it is the new one's.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the profile exists or a value is wrong;
  ///   ``SDKError/Code/store`` if the files cannot be written.
  public func add(_ profile: Profile) async throws(SDKError) {
    try await exclusively { () throws(SDKError) in
      try profile.check()
      try create(profile.name, settings: profile.members, pins: nil)
      if try current() == nil { try writeCurrent(profile.name) }
    }
  }

  /// Removes a profile with its registration, credentials and pins.
  ///
  /// - Returns: why its settings could not be read, or where its secrets are, if that is damaged; they are
  ///   removed too.
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/busy`` if another process uses the
  ///   profile; ``SDKError/Code/store`` if a file cannot be removed.
  @discardableResult
  public func remove(_ name: ProfileName) async throws(SDKError) -> SDKError? {
    let damage = try damage(of: name)
    try requireOwn(name)
    let lost = try await holdingAll(of: name) { () async throws(SDKError) in
      try await removeFiles(of: name)
    }
    return damage ?? lost
  }

  /// Removes a profile whose locks are held; returns why some of its secrets may be left.
  private func removeFiles(of name: ProfileName) async throws(SDKError) -> SDKError? {
    let lost = try await eraseSecretsElsewhere(of: name)
    try await exclusively { () throws(SDKError) in
      try attempt("could not remove the profile '\(name)'", as: .store) {
        // The configuration first: who waits for a lock sees that the profile is gone.
        try Directory.remove(tree: location.configuration(of: name))
        try Directory.remove(tree: location.state(of: name))
      }
      if try current() == name { try writeCurrent(nil) }
    }
    return lost
  }

  private func damage(of name: ProfileName) throws(SDKError) -> SDKError? {
    do {
      _ = try StoreDocument.read(path(name), .shared)
      return nil
    } catch {
      guard error.isDamage else { throw error }
      return error
    }
  }

  /// Changes a profile on disk; two changes at a time follow one another.
  ///
  /// Nothing is written when the change throws.
  ///
  /// - Throws: ``SDKError/Code/noProfile``; what the change throws; errors of ``save(_:)``.
  public func change(
    _ name: ProfileName, _ change: (inout Profile) throws(SDKError) -> Void
  ) async throws(SDKError) {
    // Looked up before the lock is, so that a wrong name leaves no directory behind.
    guard try StoreDocument.read(path(name), .shared) != nil else {
      try requireOwn(name)
      throw noProfile(name)
    }
    try await holding(.profile, of: name) { () throws(SDKError) in
      guard let document = try StoreDocument.read(path(name), .shared) else {
        throw noProfile(name)
      }
      // Not checked before the change, which may be what mends it; `save` checks.
      var profile = Profile(unchecked: name, members: document.members, settings: settings)
      try change(&profile)
      try save(profile)
    }
  }

  package func noProfile(_ name: ProfileName) -> SDKError {
    SDKError(.noProfile, "could not find the profile '\(name)'", subject: name.description)
  }

  /// Refuses a name that has no profile, or one of the site, which cannot be changed.
  func requireOwn(_ name: ProfileName) throws(SDKError) {
    if isOwn(name) { return }
    guard isOfSite(name) else { throw noProfile(name) }
    throw SDKError(
      .invalidConfiguration,
      "could not change the profile '\(name)': it is a profile of the site ('\(location.site ?? "")')",
      remedy: .copyProfile(name))
  }

  /// Refuses the name of a profile that exists.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if there is one.
  public func requireAbsent(_ name: ProfileName) throws(SDKError) {
    guard !contains(name) else {
      throw SDKError(
        .invalidConfiguration, "could not create the profile '\(name)': it exists already")
    }
  }

  func path(_ name: ProfileName) -> StorePath {
    location.configFile("profiles/\(name)/profile.json")
  }
}

extension ProfileStore {
  /// The only profile with this issuer; a final slash is ignored.
  ///
  /// Reads every profile; those that cannot be read are skipped.
  ///
  /// - Throws: ``SDKError/Code/noProfile`` when none has that issuer, or more than one.
  public func name(ofIssuer issuer: String) throws(SDKError) -> ProfileName {
    let found = try names(ofIssuer: issuer)
    if let name = found.first, found.count == 1 { return name }
    let action = "could not choose a profile by its issuer"
    guard !found.isEmpty else {
      throw SDKError(.noProfile, "\(action): none has '\(issuer)'", subject: issuer)
    }
    let list = found.map(\.description).joined(separator: ", ")
    throw SDKError(.noProfile, "\(action): several have '\(issuer)': \(list)", subject: issuer)
  }

  /// The names of the profiles that have an issuer; a slash at the end does not matter.
  ///
  /// - Throws: ``SDKError`` if the store cannot be read.
  public func names(ofIssuer issuer: String) throws(SDKError) -> [ProfileName] {
    let wanted = Self.trimmed(issuer)
    return try names().filter { name in
      guard let issuer = (try? profile(name))?.issuer else { return false }
      return sameIdentifier(Self.trimmed(issuer.text), wanted)
    }
  }

  private static func trimmed(_ issuer: String) -> String {
    issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
  }
}
