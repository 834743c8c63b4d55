import JSON
import Pinning
import Primitives
import SDKCore

extension CertificateDetails {
  /// The contents for people; `mark` says where the pin is pinned.
  func lines(mark: String? = nil) -> [String] {
    let facts: [(name: String, text: String?)] = [
      ("issuer", issuer), ("serial", serial.isEmpty ? nil : serial),
      ("names", names.isEmpty ? nil : names.joined(separator: ", ")),
      ("valid", "\(notBefore) to \(notAfter)"),
      ("usages", usages.isEmpty ? nil : usages.joined(separator: ", ")),
      ("key", keyType ?? "unknown type"), ("signature", signatureAlgorithm),
      ("pin", "\(pin)\(mark.map { "  \($0)" } ?? "")"),
      ("not a pin", "SHA-256 of the certificate: \(sha256 ?? "unknown")"),
    ]
    return facts.compactMap { name, text in text.map { name.padding(to: 10) + $0 } }
  }

  /// The same for programs.
  var members: JSONObject {
    [
      "subject": .string(subject), "issuer": .string(issuer), "serial": .string(serial),
      "names": .strings(names), "notBefore": .string(notBefore.description),
      "notAfter": .string(notAfter.description), "usages": .strings(usages),
      "keyType": JSON(keyType), "signatureAlgorithm": JSON(signatureAlgorithm),
      "pin": .string(pin.description), "certificateSHA256": JSON(sha256),
    ]
  }
}
