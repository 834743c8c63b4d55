import JSON
public import Pinning

/// A profile that a shared store offers: what a machine that joins would take.
public struct SharedProfile: Sendable {
  /// The settings, without those that no row declares.
  public let profile: Profile
  let pins: JSONObject?
  let entry: PlaceDocument.Entry
  let keys: StoreKeys
  /// All that the store has.
  let found: KeyValues
  /// Whether a registration or tokens demand encrypted payloads.
  let demandsEncryption: Bool

  /// The pins.
  ///
  /// - Throws: ``SDKError/Code/invalidRequest`` if they cannot be read.
  public func pinSets() throws(SDKError) -> [PinSet] {
    do throws(DocumentError) { return try PinDocument.sets(in: pins ?? [:]) } catch {
      throw SDKError(
        .invalidRequest, "could not read the pins of '\(profile.name)': \(error.cause)")
    }
  }
}

extension ProfileStore {
  /// Reads the profile that another machine has moved to a shared store; nothing is written.
  ///
  /// - Parameters:
  ///   - address: where another machine has moved it.
  ///   - name: its name on this machine.
  ///   - connection: how this machine reaches the cluster.
  ///   - text: the text of the key file.
  /// - Returns: the profile, for ``join(_:)``.
  /// - Throws: ``SDKError/Code/store`` if there is nothing; ``SDKError/Code/untrusted`` if the key is another one;
  ///   errors of the connection.
  public func profile(
    at address: SharedAddress, as name: ProfileName, by connection: StoreConnection,
    key text: String
  ) async throws(SDKError) -> SharedProfile {
    try requireAbsent(name)
    guard let sharing = sharing as? NetworkPlaces else {
      throw SDKError(
        .unavailable, "could not add '\(name)': the store was opened without a network")
    }
    var keys = try StoreKeys(of: name, at: location)
    keys.add(try StoreKey(file: text))
    let entry = try PlaceDocument.Entry(new: .shared(address), connection, for: name)
    let found = try await sharing.shared(entry, of: name, at: location).store.read(
      [address.prefix + "/"])
    let all = keys
    func members(_ path: String) throws(SDKError) -> JSONObject? {
      let key = SharedSnapshot.valueKey(path, address.prefix)
      return try found.values[key].flatMap { (value) throws(SDKError) in
        try SealedDocument(opening: value.value, as: key, with: all).members
      }
    }
    guard let settings = try members(ProfileFile.settings) else {
      throw SDKError(
        .store, "could not add '\(name)': '\(address)' has no profile", subject: name.description)
    }
    // What cannot be read is told when it is used.
    let secrets = found.values.compactMap { key, value in
      try? SealedDocument(opening: value.value, as: key, with: all).members
    }
    return SharedProfile(
      profile: try Profile(name: name, knownIn: settings), pins: try members(ProfileFile.pins),
      entry: entry, keys: keys, found: found,
      demandsEncryption: PayloadDemand.isMade(by: secrets))
  }

  /// Adds a profile whose registration and logins stay in a shared store.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if the profile exists; ``SDKError/Code/store`` if the files
  ///   cannot be written.
  public func join(_ shared: SharedProfile) async throws(SDKError) {
    let name = shared.profile.name
    var document = PlaceDocument()
    document.entry = shared.entry
    let entry = document
    try await exclusively { () throws(SDKError) in
      try create(name, settings: shared.profile.members, pins: shared.pins) {
        () throws(SDKError) in
        try shared.keys.write(of: name, at: location)
        try entry.write(of: name, at: location)
        if shared.demandsEncryption { try PayloadDemand(location, name).note(true) }
      }
      if try current() == nil { try writeCurrent(name) }
    }
    try await takeDocuments(of: shared)
  }

  /// Takes what the store has of the profile's users.
  private func takeDocuments(of shared: SharedProfile) async throws(SDKError) {
    guard let (place, _) = try sharedStore(of: shared.profile.name) else { return }
    let paths = shared.found.values.keys.compactMap { key -> String? in
      guard key.hasSuffix("/value") else { return nil }
      return String(key.dropFirst(place.prefix.utf8.count + 1).dropLast("/value".utf8.count))
    }.filter { ![ProfileFile.settings, ProfileFile.pins].contains($0) }
    for user in Set(paths.map(SharedPlace.user)) {
      try secretDocuments(of: shared.profile.name, user).makeUserDirectory()
    }
    let snapshot = SharedSnapshot(shared.found, of: paths, below: place.prefix)
    try await place.take(snapshot, holding: [])
  }
}
