import JSON
import Pinning
import Primitives
import SDKCore

/// A key with its pin, as `pin hash` prints it.
struct HashedKey: Sendable {
  let source: String
  let pin: Pin
  /// What the key was found in.
  let kind: String
  /// Where the key is in the chain of a server.
  var role: PinRole?
  var subject: String?
  var keyType: String?
  var certificate: CertificateDetails?

  /// A pin that was typed.
  init(_ pin: Pin, source: String) {
    self.source = source
    self.pin = pin
    kind = "pin"
  }

  /// A key of a file.
  init(_ key: FoundKey, source: String) {
    self.source = source
    pin = key.pin
    kind = key.kind.rawValue
    if key.kind == .certificate || key.kind == .request { subject = key.label }
    keyType = key.keyType
    certificate = key.certificate
  }

  private init(_ certificate: CertificateDetails, _ role: PinRole, source: String) {
    self.source = source
    pin = certificate.pin
    kind = FoundKey.Kind.certificate.rawValue
    self.role = role
    subject = certificate.subject
    keyType = certificate.keyType
    self.certificate = certificate
  }

  /// The keys of the validated path of a server.
  static func all(of chain: PresentedChain, source: String) -> [HashedKey] {
    zip(chain.validated, chain.keys).map { HashedKey($0, $1.role, source: source) }
  }

  /// The fields of a line.
  var fields: [String] { [pin.description, role?.rawValue ?? kind, subject ?? "-", source] }

  var json: JSON {
    [
      "source": .string(source), "kind": .string(kind), "role": JSON(role?.rawValue),
      "pin": .string(pin.description), "hex": .string(Hex.encode(pin.sha256)),
      "subject": JSON(subject), "keyType": JSON(keyType),
      "notBefore": JSON(certificate?.notBefore.description),
      "notAfter": JSON(certificate?.notAfter.description),
      "certificateSHA256": JSON(certificate?.sha256),
    ]
  }
}
