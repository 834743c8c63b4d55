import JSON
import Pinning
import Primitives
import SDKCore

/// The served certificates and the validated path of an endpoint, or the certificates of a file, beside the pins.
struct PinTree {
  /// `nil` of a file, and of a host that was not asked.
  private(set) var finding: PinFinding?
  private(set) var endpoint: PinEndpoint?
  private(set) var set: PinSet?
  private var served: [CertificateDetails] = []

  init(_ finding: PinFinding, _ set: PinSet?) {
    (self.finding, endpoint, self.set) = (finding, finding.endpoint, set)
    served = finding.presented?.served ?? []
  }

  init(_ endpoint: PinEndpoint, _ set: PinSet) { (self.endpoint, self.set) = (endpoint, set) }

  init(certificates: [CertificateDetails]) { served = certificates }

  /// The tree for people: root first.
  func lines(_ local: (Timestamp) -> String?) -> [String] {
    guard let finding else { return [] }
    let cause = finding.cause.map { ": \($0)" } ?? ""
    var lines = ["\(finding.endpoint.shown)  \(finding.status.rawValue)\(cause)"]
    lines.append(set.map { $0.heading(local) } ?? "pins: none")
    guard let chain = finding.presented else { return lines + otherPins([], "pinned:") }
    if let error = chain.verificationError { lines.append("validated path: none: \(error)") }
    if let revocation = chain.revocation { lines.append("revocation: \(revocation.text)") }
    lines.append("SERVED  VALIDATED")
    for (depth, certificate) in path.reversed().enumerated() {
      lines += self.lines(
        of: certificate, in: chain, branch: String(repeating: "   ", count: depth), local)
    }
    for certificate in chain.served where !path.contains(certificate) {
      lines += self.lines(of: certificate, in: chain, branch: "", local)
    }
    return lines + otherPins(path.map(\.pin), "pinned, but not in the chain:")
      + path.flatMap { $0.mistakes(among: set?.keys.map(\.pin) ?? []) }.map(\.text)
  }

  /// The validated path, leaf first; without one the served chain.
  var path: [CertificateDetails] {
    let validated = finding?.presented?.validated ?? []
    return validated.isEmpty ? served : validated
  }

  private func lines(
    of certificate: CertificateDetails, in chain: PresentedChain, branch: String,
    _ local: (Timestamp) -> String?
  ) -> [String] {
    let served = position(of: certificate, in: chain.served)
    let validated = position(of: certificate, in: chain.validated)
    let isValidated = !chain.validated.isEmpty
    let role =
      chain.role(of: certificate)?.rawValue
      ?? (isValidated ? "not in the validated path:" : "certificate")
    let twig = branch.isEmpty ? "" : String(branch.dropLast(3)) + "└─ "
    let column = String(repeating: " ", count: 19) + branch
    return ["\(served.leading(6))  \(validated.leading(9))  \(twig)\(role) \(certificate.subject)"]
      + certificate.lines(local, mark: mark(of: certificate, in: chain)).map { column + $0 }
  }

  private func position(
    of certificate: CertificateDetails, in chain: [CertificateDetails]
  ) -> String {
    chain.firstIndex(of: certificate).map { String($0 + 1) } ?? "-"
  }

  private func mark(of certificate: CertificateDetails, in chain: PresentedChain) -> String {
    guard let set, let key = set.keys.first(where: { $0.pin == certificate.pin }) else {
      return "not pinned"
    }
    guard chain.validated.contains(where: { $0.pin == certificate.pin }) else {
      return "pinned as \(key.role.rawValue), but does not count"
    }
    return "PINNED as \(key.role.rawValue)"
  }

  private func otherPins(_ seen: [Pin], _ heading: String) -> [String] {
    let others = set?.keys.filter { !seen.contains($0.pin) } ?? []
    guard !others.isEmpty else { return [] }
    return [heading]
      + others.map { "  \($0.pin)  \($0.role.rawValue)\($0.label.map { "  \($0)" } ?? "")" }
  }
}

extension PinTree {
  static let rows = Rows<PinTree>(
    .member("host", "the host; null of a file") { $0.endpoint?.host },
    .member("port", "the port") { $0.endpoint.map { Int64($0.port) } },
    .member("status", "that of {pin check}; null of a file, and with `--offline`") {
      $0.finding?.status.rawValue
    },
    .member("message", "the explanation") { $0.finding?.cause },
    .object("pins", "the pins, as in {pin list}", PinSet.rows) { $0.set },
    .member("verificationError", "why the chain is not trusted") {
      $0.finding?.presented?.verificationError
    },
    .list("served", "what the server sent, leaf first, or what the file has", Certificate.rows) {
      tree in
      tree.served.map { Certificate(details: $0, set: tree.set) }
    },
    .list("validated", "the validated path, leaf first", Certificate.rows) { tree in
      tree.finding?.presented.map { chain in
        zip(chain.validated, chain.keys).map {
          Certificate(details: $0, role: $1.role, set: tree.set)
        }
      } ?? []
    },
    .object("revocation", "what the issuer says about the certificate", StapledStatus.rows) {
      $0.finding?.presented?.revocation
    })

  private struct Certificate {
    let details: CertificateDetails
    var role: PinRole?
    let set: PinSet?

    static let rows = Rows<Certificate>(
      .member("subject", "the subject") { $0.details.subject },
      .member("issuer", "its issuer") { $0.details.issuer },
      .member("serial", "the serial number") { $0.details.serial },
      .member("names", "the alternative names") { $0.details.names },
      .member("notBefore", "when it begins") { $0.details.notBefore },
      .member("notAfter", "when it ends") { $0.details.notAfter },
      .member("usages", "what its key may be used for") { $0.details.usages },
      .member("keyType", "the kind of key") { $0.details.keyType },
      .member("signatureAlgorithm", "how it is signed") { $0.details.signatureAlgorithm },
      .member("pin", "the pin of its key") { $0.details.pin },
      .member("role", "its role in the validated path") { $0.role?.rawValue },
      .object("pinned", "where the key is pinned", pinned) { certificate in
        certificate.set.flatMap { set in
          set.keys.first { $0.pin == certificate.details.pin }.map { (set, $0) }
        }
      },
      .member("certificateSHA256", "its hash, which is not a pin") { $0.details.sha256 })

    private static let pinned = Rows<(set: PinSet, key: PinnedKey)>(
      .member("pattern", "the pattern") { $0.set.pattern.description },
      .member("role", "the role") { $0.key.role.rawValue },
      .member("label", "the label") { $0.key.label })
  }
}

extension StapledStatus {
  fileprivate static let rows = Rows<StapledStatus>(
    .member("state", "`good`, `revoked`, `unknown`, `none` or `invalid`") { $0.state.rawValue },
    .member("updated", "when it was said") { $0.updated },
    .member("next", "when it is said again") { $0.next },
    .member("revoked", "when it was revoked") { $0.revoked },
    .member("reason", "why") { $0.reason })
}

extension PresentedChain {
  fileprivate func role(of certificate: CertificateDetails) -> PinRole? {
    validated.firstIndex(of: certificate).map { keys[$0].role }
  }
}

extension PinSet {
  fileprivate func heading(_ local: (Timestamp) -> String?) -> String {
    let policy = policy.map { ", policy \($0.rawValue)" } ?? ""
    return
      "pins: \(pattern)\(policy)\(expires.map { ", until \($0)\(local($0).map { " (\($0))" } ?? "")" } ?? "")"
  }
}

extension String {
  /// The text with spaces before it, up to a width.
  fileprivate func leading(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}

extension CertificateDetails {
  /// The contents for people; `mark` says where the pin is pinned.
  func lines(_ local: (Timestamp) -> String?, mark: String? = nil) -> [String] {
    let facts: [(name: String, text: String?)] = [
      ("issuer", issuer), ("serial", serial.isEmpty ? nil : serial),
      ("names", names.isEmpty ? nil : names.joined(separator: ", ")),
      ("valid", "\(notBefore) to \(notAfter)\(local(notAfter).map { " (\($0))" } ?? "")"),
      ("usages", usages.isEmpty ? nil : usages.joined(separator: ", ")),
      ("key", keyType ?? "unknown type"), ("signature", signatureAlgorithm),
      ("pin", "\(pin)\(mark.map { "  \($0)" } ?? "")"),
      ("not a pin", "SHA-256 of the certificate: \(sha256 ?? "unknown")"),
    ]
    return facts.compactMap { name, text in text.map { name.padding(to: 10) + $0 } }
  }
}
