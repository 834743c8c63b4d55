import JSON
import Primitives

/// A model of authenticators that the server knows, as its metadata statement describes it (FIDO
/// Metadata Statements 1.1).
struct FIDOAuthenticator: Sendable {
  static let basicFull = 0x3E07
  static let surrogate = 0x3E08

  let aaid: String
  var minimumVersion: UInt16 = 0
  var attestationTypes: Set<Int> = [basicFull, surrogate]
  var signatureAlgorithms = UAFKey.signatureAlgorithms
  var keyEncodings = UAFKey.encodings
  /// What certificates of its attestations must lead to; without any, each certificate counts that
  /// is made for itself.
  var roots: [Certificate] = []

  init(aaid: String) { self.aaid = aaid }

  /// Reads a metadata statement; `nil` if it is none.
  init?(statement: JSON) {
    guard let aaid = statement["aaid"]?.string, Self.isAAID(aaid),
      let version = statement["authenticatorVersion"]?.int.flatMap(UInt16.init(exactly:)),
      let types = Self.numbers(statement["attestationTypes"]),
      let algorithms = Self.numbers(
        statement["authenticationAlgorithms"] ?? statement["authenticationAlgorithm"]),
      let encodings = Self.numbers(
        statement["publicKeyAlgAndEncodings"] ?? statement["publicKeyAlgAndEncoding"]),
      let certificates = statement["attestationRootCertificates"]?.strings
    else { return nil }
    self.aaid = aaid.uppercased()
    minimumVersion = version
    attestationTypes = Set(types)
    signatureAlgorithms = Set(algorithms.compactMap(UInt16.init(exactly:)))
    keyEncodings = Set(encodings.compactMap(UInt16.init(exactly:)))
    for text in certificates {
      let der = Base64.decode(text.filter { !$0.isWhitespace })
      guard let certificate = der.flatMap({ try? Certificate(der: $0) }) else { return nil }
      roots.append(certificate)
    }
  }

  /// Four hexadecimal digits of the vendor, `#`, four of the model.
  static func isAAID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count == 9 && bytes[4] == UInt8(ascii: "#")
      && (bytes[..<4] + bytes[5...]).allSatisfy { $0.hexValue != nil }
  }

  private static func numbers(_ json: JSON?) -> [Int]? {
    json?.array?.compactMap(\.integer) ?? json?.integer.map { [$0] }
  }

  var json: JSON {
    [
      "aaid": .string(aaid), "attestationRoots": .int(roots.count),
      "attestationTypes": .array(attestationTypes.sorted().map(JSON.int)),
    ]
  }
}
