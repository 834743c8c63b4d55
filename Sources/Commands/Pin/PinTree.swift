import JSON
import Pinning
import Primitives
import SDKCore

/// The served certificates and the validated path of an endpoint, beside its pins.
struct PinTree {
  let finding: PinFinding
  let set: PinSet?

  /// The tree for people: root first.
  var lines: [String] {
    let cause = finding.cause.map { ": \($0)" } ?? ""
    var lines = ["\(finding.endpoint.shown)  \(finding.status.rawValue)\(cause)"]
    lines.append(set.map(\.heading) ?? "pins: none")
    guard let chain = finding.presented else { return lines + otherPins([], "pinned:") }
    if let error = chain.verificationError { lines.append("validated path: none: \(error)") }
    if let revocation = chain.revocation { lines.append("revocation: \(revocation.text)") }
    lines.append("SERVED  VALIDATED")
    for (depth, certificate) in path.reversed().enumerated() {
      lines += self.lines(
        of: certificate, in: chain, branch: String(repeating: "   ", count: depth))
    }
    for certificate in chain.served where !path.contains(certificate) {
      lines += self.lines(of: certificate, in: chain, branch: "")
    }
    return lines + otherPins(path.map(\.pin), "pinned, but not in the chain:")
      + path.flatMap { $0.mistakes(among: set?.keys.map(\.pin) ?? []) }.map(\.text)
  }

  /// The validated path, leaf first; without one the served chain.
  var path: [CertificateDetails] {
    let chain = finding.presented
    return chain?.validated.isEmpty ?? true ? chain?.served ?? [] : chain?.validated ?? []
  }

  private func lines(
    of certificate: CertificateDetails, in chain: PresentedChain, branch: String
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
      + certificate.lines(mark: mark(of: certificate, in: chain)).map { column + $0 }
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
  /// The same facts for programs.
  var json: JSON {
    let chain = finding.presented
    return [
      "host": .string(finding.endpoint.host), "port": .int(Int64(finding.endpoint.port)),
      "status": .string(finding.status.rawValue), "message": JSON(finding.cause),
      "pins": set.map(PinSet.rows.json) ?? .null,
      "verificationError": JSON(chain?.verificationError),
      "served": .array(chain?.served.map { json(of: $0, role: nil) } ?? []),
      "validated": .array(
        chain.map { chain in
          zip(chain.validated, chain.keys).map { json(of: $0, role: $1.role) }
        } ?? []),
      "revocation": chain?.revocation?.json ?? .null,
    ]
  }

  private func json(of certificate: CertificateDetails, role: PinRole?) -> JSON {
    let key = set?.keys.first { $0.pin == certificate.pin }
    let pinned: JSON? = key.map {
      [
        "pattern": JSON(set?.pattern.description), "role": .string($0.role.rawValue),
        "label": JSON($0.label),
      ]
    }
    var members = certificate.members
    members["role"] = role.map { .string($0.rawValue) }
    members["pinned"] = pinned ?? .null
    return .object(members)
  }
}

extension StapledStatus {
  fileprivate var json: JSON {
    [
      "state": .string(state.rawValue), "updated": JSON(updated?.description),
      "next": JSON(next?.description), "revoked": JSON(revoked?.description),
      "reason": JSON(reason),
    ]
  }
}

extension PresentedChain {
  /// The role of a certificate of the validated path.
  fileprivate func role(of certificate: CertificateDetails) -> PinRole? {
    validated.firstIndex(of: certificate).map { keys[$0].role }
  }
}

extension PinSet {
  fileprivate var heading: String {
    let policy = policy.map { ", policy \($0.rawValue)" } ?? ""
    return "pins: \(pattern)\(policy)\(expires.map { ", until \($0)" } ?? "")"
  }
}

extension String {
  /// The text with spaces before it, up to a width.
  fileprivate func leading(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
