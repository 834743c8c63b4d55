import POSIX
public import SDKCore

extension ProfileStore {
  /// Makes the text of a key file.
  ///
  /// - Throws: ``SDKError/Code/unavailable`` without libcrypto.
  public static func makeStoreKey() throws(SDKError) -> String { try StoreKey.make().text }

  /// Adds a key for the shared store; what is written has it once the store was encrypted under it.
  ///
  /// - Returns: the id of the key.
  /// - Throws: ``SDKError/Code/noProfile``; ``SDKError/Code/invalidRequest`` for another text.
  @discardableResult
  public func addStoreKey(_ text: String, of name: ProfileName) async throws(SDKError) -> String {
    guard contains(name) else { throw noProfile(name) }
    let key = try StoreKey(file: text)
    return try await holding(.profile, of: name) { () throws(SDKError) in
      var keys = try StoreKeys(of: name, at: location)
      keys.add(key)
      try keys.write(of: name, at: location)
      return key.id
    }
  }

  /// The text of a file with the newest key.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration`` if there is none.
  public func storeKey(of name: ProfileName) throws(SDKError) -> String {
    guard contains(name) else { throw noProfile(name) }
    return try StoreKeys(of: name, at: location).newest().text
  }

  /// Encrypts all documents of the shared store under the newest key of this machine.
  ///
  /// Other machines may go on meanwhile, if they have that key.
  ///
  /// - Returns: the id of the key, and how many documents had another one.
  /// - Throws: ``SDKError/Code/invalidRequest`` if the secrets are not in a shared store; its errors.
  public func rotateStoreKey(
    of name: ProfileName
  ) async throws(SDKError) -> (key: String, changed: Int) {
    guard let place = try sharedPlace(of: name) else {
      throw SDKError(
        .invalidRequest,
        "could not rotate the key: the secrets of '\(name)' are in no shared store",
        subject: name.description)
    }
    let key = try StoreKeys(of: name, at: location).newest()
    return (key.id, try await place.encryptAgain(with: key))
  }
}
