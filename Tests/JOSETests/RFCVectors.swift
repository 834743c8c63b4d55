import TestSupport

@testable import JOSE

/// The tokens and keys of the RFCs, by name.
enum RFCVectors {
  /// RFC 7515 appendix A.1 to A.4 and RFC 8037 appendix A.4: algorithm, token, key.
  static let tokens: [(JWSAlgorithm, String, JSON)] =
    (Vectors.appendices["tokens"]?.array ?? []).compactMap { row in
      guard let algorithm = row["alg"]?.string.flatMap(JWSAlgorithm.init(identifier:)),
        let token = row["token"]?.string, let key = row["key"]
      else { return nil }
      return (algorithm, token, key)
    }

  static let hmacKey = tokens[0].2
  static let ed25519 = tokens[4].2
  /// RFC 7638 section 3.1.
  static let thumbprintKey = Vectors.appendices["thumbprintKey"] ?? .null
}
