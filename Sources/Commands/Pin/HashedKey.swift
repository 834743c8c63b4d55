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

  static let rows = Rows<HashedKey>(
    // Never cut: it is what the command is for.
    .column("pin", "PIN", "the pin") { $0.pin.description },
    .column("kind", "KIND", "`certificate`, `request`, `public-key`, `private-key` or `pin`") {
      $0.kind
    },
    .column("role", "ROLE", "that of a server's key: `leaf`, `intermediate` or `root`") {
      $0.role?.rawValue
    },
    .column("subject", "SUBJECT", "the subject") { $0.subject },
    .column("source", "SOURCE", "the source") { $0.source },
    .member("hex", "the same hash in hexadecimal digits") { Hex.encode($0.pin.sha256) },
    .member("keyType", "the kind of key") { $0.keyType },
    .member("notBefore", "when the certificate begins") { $0.certificate?.notBefore },
    .member("expires", "when it ends") { $0.certificate?.notAfter },
    .member("certificateSHA256", "the hash of the certificate, which is not a pin") {
      $0.certificate?.sha256
    })
}
