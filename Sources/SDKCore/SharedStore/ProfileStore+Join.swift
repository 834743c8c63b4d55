extension ProfileStore {
  /// Adds a profile whose settings, registration and logins are in a shared store.
  ///
  /// - Parameters:
  ///   - name: its name on this machine.
  ///   - address: where another machine has moved them.
  ///   - connection: how this machine reaches the cluster.
  ///   - text: the text of the key file.
  /// - Throws: ``SDKError/Code/store`` if there is nothing; ``SDKError/Code/untrusted`` if the key is another one;
  ///   errors of the connection.
  public func join(
    _ name: ProfileName, _ address: SharedAddress, by connection: StoreConnection, key text: String
  ) async throws(SDKError) {
    try requireAbsent(name)
    guard let places = places as? NetworkPlaces else {
      throw SDKError(
        .unavailable, "could not add '\(name)': the store was opened without a network")
    }
    var keys = try StoreKeys(of: name, at: location)
    keys.add(try StoreKey(file: text))
    let place = try places.joining(address, connection, of: name, at: location, with: keys)
    guard let settings = try await place.read(SecretName.settings) else {
      throw SDKError(
        .store, "could not add '\(name)': '\(address)' has no profile", subject: name.description)
    }
    let pins = try await place.read(SecretName.pins)
    try Profile(name: name, members: settings).check()
    var document = PlaceDocument()
    document.entry = try PlaceDocument.Entry(new: .shared(address), connection, for: name)
    let (entry, allKeys) = (document, keys)
    try exclusively { () throws(SDKError) in
      try create(name, settings: settings, pins: pins) { () throws(SDKError) in
        try allKeys.write(of: name, at: location)
        try entry.write(of: name, at: location)
      }
      if try current() == nil { try writeCurrent(name) }
    }
  }
}
