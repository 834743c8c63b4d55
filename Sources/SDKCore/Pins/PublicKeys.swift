import OpenSSL
public import Pinning

/// Keys in files that people have at hand.
public enum PublicKeys {
  /// The pin of each certificate, certificate request and key of a PEM or DER file, in order.
  ///
  /// - Throws: ``SDKError`` when the file holds none, a broken one or an encrypted key.
  public static func pins(
    in bytes: [UInt8], of file: String
  ) throws(SDKError) -> [(pin: Pin, label: String)] {
    do {
      return try KeyMaterial.spki(anyOf: bytes).map { (Pin(spki: $0.spki), $0.label) }
    } catch {
      let cause = error.reasons.joined(separator: "; ")
      throw SDKError(.localData, "could not find a key in '\(file)': \(cause)")
    }
  }
}
