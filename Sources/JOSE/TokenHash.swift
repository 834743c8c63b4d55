internal import OpenSSL

/// The hashes that bind an ID token to what came with it (OpenID Connect Core 3.1.3.6, 3.3.2.11).
public enum TokenHash {
  /// The value of `at_hash` or `c_hash`.
  ///
  /// - Parameters:
  ///   - token: the access token or the code.
  ///   - algorithm: the algorithm that signed the ID token, whose hash is used.
  /// - Returns: the left half of the hash as base64url.
  /// - Throws: ``JOSEError`` if libcrypto cannot be used.
  public static func leftHalf(
    of token: String, algorithm: JWSAlgorithm
  ) throws(JOSEError) -> String {
    let hash = try joseError { () throws(CryptoError) in
      try Digest.hash(Array(token.utf8), with: algorithm.digest)
    }
    return Base64URL.encode(Array(hash.prefix(hash.count / 2)))
  }
}
