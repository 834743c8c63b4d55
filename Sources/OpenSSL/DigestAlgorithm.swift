internal import COpenSSL

/// A hash function of the SHA family.
package enum DigestAlgorithm: Sendable, Hashable, CaseIterable {
  case sha1
  case sha256
  case sha384
  case sha512

  /// How many bytes its digests have.
  package var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The implementation, owned by the process: `<EVP_MD>`.
  var method: OpaquePointer? {
    switch self {
    case .sha1: FetchedMethod.sha1.raw
    case .sha256: FetchedMethod.sha256.raw
    case .sha384: FetchedMethod.sha384.raw
    case .sha512: FetchedMethod.sha512.raw
    }
  }
}

/// An `EVP_MD` that was looked up once; a lookup costs as much as a short digest.
// @unchecked: an EVP_MD does not change after it was fetched, and these are never freed.
private struct FetchedMethod: @unchecked Sendable {
  static let sha1 = FetchedMethod("SHA1")
  static let sha256 = FetchedMethod("SHA256")
  static let sha384 = FetchedMethod("SHA384")
  static let sha512 = FetchedMethod("SHA512")

  let raw: OpaquePointer?  // <EVP_MD>

  init(_ name: String) { raw = crypto.EVP_MD_fetch(nil, name, nil) }
}
