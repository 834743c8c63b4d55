internal import COpenSSL
internal import Synchronization

/// A private key in a security device, ready to sign.
package struct TokenKey: Sendable {
  /// Its URI, with the token and the object by all their names.
  package let uri: PKCS11URI
  package let key: PrivateKey
}

/// Why a key in a security device cannot be used.
package enum TokenError: Error, Sendable, Hashable {
  /// The PKCS #11 module cannot be opened.
  case noModule(String)
  /// No token is like that of the URI.
  case absent
  /// Several tokens are like that of the URI.
  case severalTokens
  /// A PIN is needed.
  case needsPIN(TokenInfo)
  /// The PIN is wrong.
  case wrongPIN(TokenInfo)
  /// The token is locked after wrong PINs.
  case locked(TokenInfo)
  /// The person cancelled at the device.
  case cancelled
  /// The token has no such private key.
  case noObject(TokenInfo)
  /// The token has several such private keys.
  case severalObjects(TokenInfo)
  /// OpenSSL has neither a provider nor an engine for PKCS #11.
  case noEngine
  /// The module failed with a number of PKCS #11, or OpenSSL with reasons.
  case failed(String)
}

/// What a token says of itself.
package struct TokenInfo: Sendable, Hashable {
  package let label: String
  package let serial: String
  /// Whether a wrong PIN has been entered since the last right one.
  package internal(set) var hasWrongPIN: Bool
  /// Whether the next wrong PIN locks the token.
  package let isLastAttempt: Bool
}

/// The keys in security devices that this process has opened.
///
/// A login at a device is one of the whole process, and so are its keys.
package enum TokenKeys {
  private struct State {
    var opened: [String: PrivateKey] = [:]
    /// Wrong PINs by the serial number of the token: not every module counts the attempts.
    var refused: [String: Set<[UInt8]>] = [:]

    /// Finds a key; tasks that have the same wrong PIN try it once together.
    mutating func find(
      _ query: TokenQuery, _ pin: [UInt8]?
    ) throws(TokenError) -> TokenQuery.Found {
      do throws(TokenError) {
        return try query.find(nil)
      } catch {
        guard case .needsPIN(var info) = error else { throw error }
        let refusals = refused[info.serial, default: []]
        info.hasWrongPIN = info.hasWrongPIN || !refusals.isEmpty
        guard let pin else { throw .needsPIN(info) }
        guard !refusals.contains(pin) else { throw .wrongPIN(info) }
        do throws(TokenError) {
          return try query.find(pin)
        } catch {
          if case .wrongPIN = error { refused[info.serial, default: []].insert(pin) }
          throw error
        }
      }
    }
  }

  private static let state = Mutex(State())

  /// A key that was opened before, by the URI that ``open(_:module:pin:)`` was called with.
  package static func opened(_ uri: String) -> PrivateKey? { state.withLock { $0.opened[uri] } }

  /// Finds the key, logs in at its token, and loads it.
  ///
  /// - Parameters:
  ///   - uri: the key.
  ///   - module: the PKCS #11 module.
  ///   - pin: `nil` to learn whether one is needed. A wrong one is tried once only.
  /// - Returns: the key, and the URI with all names of token and key.
  /// - Throws: ``TokenError``
  package static func open(
    _ uri: PKCS11URI, module: String, pin: [UInt8]?
  ) throws(TokenError) -> TokenKey {
    try state.withLock { (state) throws(TokenError) in
      let found = try state.find(TokenQuery(uri, module), pin)
      let full = uri.naming(token: found.attributes, label: found.label, id: found.identifier)
      if let key = state.opened[uri.description] { return TokenKey(uri: full, key: key) }
      var place = full.withoutPIN.description
      // A provider and an engine know other attributes of the query, or none.
      if let end = place.utf8.firstIndex(of: UInt8(ascii: "?")) { place = String(place[..<end]) }
      ErrorQueue.clear()
      var raw: OpaquePointer?
      let result = copenssl_token_load(
        module, place + ";type=private", pin ?? [], pin?.count ?? 0, &raw)
      guard let raw else {
        let reasons = ErrorQueue.drain()
        throw result == COPENSSL_TOKEN_NO_ENGINE
          ? .noEngine : .failed(reasons.joined(separator: ", "))
      }
      ErrorQueue.clear()
      let key = PrivateKey(adopting: raw)
      state.opened[uri.description] = key
      state.opened[full.description] = key
      return TokenKey(uri: full, key: key)
    }
  }

  /// The certificates of a token: those of the object, or all.
  package static func certificates(
    _ uri: PKCS11URI, module: String, all: Bool
  ) throws(TokenError) -> [Certificate] {
    try state.withLock { (_) throws(TokenError) in
      try TokenQuery(uri, module).certificates(all: all)
    }
  }
}
