internal import COpenSSL
internal import Synchronization

/// A private key in a security token, ready to sign.
package struct SecurityTokenKey: Sendable {
  /// Its URI, with the token and the object by all their names.
  package let uri: PKCS11URI
  package let key: PrivateKey
}

package enum SecurityTokenError: Error, Sendable, Hashable {
  case noModule(String)
  /// No security token is like that of the URI.
  case absent
  /// Several security tokens are like that of the URI.
  case severalTokens
  case needsPIN(SecurityTokenInfo)
  case wrongPIN(SecurityTokenInfo)
  /// The security token is locked after wrong PINs.
  case locked(SecurityTokenInfo)
  case cancelled
  /// The security token has no such private key.
  case noObject(SecurityTokenInfo)
  /// The security token has several such private keys.
  case severalObjects(SecurityTokenInfo)
  /// OpenSSL has neither a provider nor an engine for PKCS #11.
  case noEngine
  /// The module failed with a number of PKCS #11, or OpenSSL with reasons.
  case failed(String)
}

/// What a security token says of itself.
package struct SecurityTokenInfo: Sendable, Hashable {
  package let label: String
  package let serial: String
  /// Whether a wrong PIN has been entered since the last right one.
  package internal(set) var hasWrongPIN: Bool
  /// Whether the next wrong PIN locks the security token.
  package let isLastAttempt: Bool
  /// How many PINs it has refused in this process.
  package internal(set) var refusals = 0
}

package struct SecurityTokenPIN: Sendable {
  let bytes: [UInt8]
  /// ``SecurityTokenInfo/refusals`` when the PIN was asked for.
  let refusals: Int

  /// - Parameters:
  ///   - bytes: the PIN; an empty one is none.
  ///   - info: what the token said when the PIN was asked for.
  package init(_ bytes: [UInt8], for info: SecurityTokenInfo) {
    self.bytes = bytes
    refusals = info.refusals
  }
}

/// The keys in security tokens that this process has opened.
///
/// a login at a security token is one of the whole process, and so are its keys.
package enum SecurityTokenKeys {
  private static let keys = Mutex<[String: PrivateKey]>([:])

  /// How many PINs each security token has refused, by its serial number: not every module counts
  /// them.
  ///
  /// Held during the calls of a module, which are made one after the other, and may take as long as
  /// a person: on threads that do nothing else.
  private static let refusals = Mutex<[String: Int]>([:])

  /// A key that was opened before, by the URI that ``open(_:module:pin:)`` was called with.
  package static func opened(_ uri: String) -> PrivateKey? { keys.withLock { $0[uri] } }

  /// Finds the key, logs in at its security token, and loads it; blocks until the token responds.
  ///
  /// Without a PIN it tells whether one is needed. A PIN is not tried if the token has refused another one since it
  /// was asked for: wrong ones lock the token.
  package static func open(
    _ uri: PKCS11URI, module: String, pin: SecurityTokenPIN? = nil
  ) throws(SecurityTokenError) -> SecurityTokenKey {
    try refusals.withLock { (refusals) throws(SecurityTokenError) in
      let found = try find(SecurityTokenQuery(uri, module), pin, &refusals)
      let full = uri.naming(token: found.attributes, label: found.label, id: found.identifier)
      if let key = opened(uri.description) { return SecurityTokenKey(uri: full, key: key) }
      let key: PrivateKey
      do throws(SecurityTokenError) {
        key = try load(full, module, pin)
      } catch {
        // Somebody else has logged this process in; OpenSSL needs the PIN even so.
        guard case .failed = error, pin == nil, found.needsPIN else { throw error }
        throw .needsPIN(refusals.known(found.token))
      }
      keys.withLock { keys in
        keys[uri.description] = key
        keys[full.description] = key
      }
      return SecurityTokenKey(uri: full, key: key)
    }
  }

  /// The certificates of a security token: those of the object, or all; blocks as
  /// ``open(_:module:pin:)``.
  package static func certificates(
    _ uri: PKCS11URI, module: String, all: Bool
  ) throws(SecurityTokenError) -> [Certificate] {
    try refusals.withLock { (_) throws(SecurityTokenError) in
      try SecurityTokenQuery(uri, module).certificates(all: all)
    }
  }

  private static func find(
    _ query: SecurityTokenQuery, _ pin: SecurityTokenPIN?, _ refusals: inout [String: Int]
  ) throws(SecurityTokenError) -> SecurityTokenQuery.Found {
    do throws(SecurityTokenError) {
      return try query.find(nil)
    } catch {
      guard case .needsPIN(var info) = error else { throw error }
      info = refusals.known(info)
      guard let pin, !pin.bytes.isEmpty, pin.refusals == info.refusals else {
        throw .needsPIN(info)
      }
      do throws(SecurityTokenError) {
        return try query.find(pin.bytes)
      } catch {
        if case .wrongPIN = error { refusals[info.serial] = info.refusals + 1 }
        throw error
      }
    }
  }

  private static func load(
    _ uri: PKCS11URI, _ module: String, _ pin: SecurityTokenPIN?
  ) throws(SecurityTokenError) -> PrivateKey {
    var place = uri.withoutPIN.description
    // A provider and an engine know other attributes of the query, or none.
    if let end = place.utf8.firstIndex(of: UInt8(ascii: "?")) { place = String(place[..<end]) }
    do {
      try CryptoLibrary.begin()
    } catch {
      throw .failed(error.description)
    }
    var raw: OpaquePointer?
    let result =
      // An empty array is a pointer too: an empty PIN, which may cost an attempt.
      if let pin, !pin.bytes.isEmpty {
        copenssl_token_load(module, place + ";type=private", pin.bytes, pin.bytes.count, &raw)
      } else {
        copenssl_token_load(module, place + ";type=private", nil, 0, &raw)
      }
    let reasons = ErrorQueue.drain()
    guard let raw else {
      throw result == COPENSSL_TOKEN_NO_ENGINE
        ? .noEngine : .failed(reasons.joined(separator: ", "))
    }
    return PrivateKey(adopting: raw)
  }
}

extension [String: Int] {
  /// What a security token says of itself, with how many PINs it has refused.
  fileprivate func known(_ info: SecurityTokenInfo) -> SecurityTokenInfo {
    var known = info
    known.refusals = self[info.serial, default: 0]
    known.hasWrongPIN = info.hasWrongPIN || known.refusals > 0
    return known
  }
}
