import OpenSSL
public import Primitives

/// When an identity is to be renewed: before its certificate expires.
public enum RenewalWindow: Sendable, Hashable {
  /// This many seconds before it expires.
  case before(seconds: Int64)
  /// When this share of its validity has passed, from 1 to 100.
  case percent(Int64)

  /// When 66 % of the validity has passed.
  public static let standard = RenewalWindow.percent(66)

  /// Reads `75%`, or a time span such as `30d`; `nil` for anything else.
  public init?(_ text: String) {
    if text.utf8.last == UInt8(ascii: "%") {
      guard let number = Int64(text.dropLast()), (1...100).contains(number), text.first != "+"
      else { return nil }
      self = .percent(number)
    } else if let span = try? TimeSpan(text) {
      self = .before(seconds: span.seconds)
    } else {
      return nil
    }
  }

  /// The first second at which a certificate is due.
  public func begins(in chain: ClientCertificateChain) -> Timestamp {
    let end = chain.notAfter.seconds
    switch self {
    case .before(let seconds): return Timestamp(end - seconds)
    case .percent(let percent):
      let start = chain.notBefore.seconds
      return Timestamp(start + Int64((Double(end - start) * Double(percent) / 100).rounded()))
    }
  }
}

/// Whether an identity can be used, and for how long.
public enum IdentityCondition: String, Sendable, Hashable {
  /// It can be used, and need not be renewed.
  case good
  /// It can be used, and is to be renewed.
  case due
  /// Its certificate has expired.
  case expired
  /// Its certificate is not valid yet.
  case notYetValid = "not-yet-valid"
  /// Its certificate may not authenticate TLS clients.
  case wrongUsage = "wrong-usage"
}

extension Identity {
  /// Whether it can be used at that time, and for how long.
  public func condition(
    at now: Timestamp, _ window: RenewalWindow = .standard
  ) -> IdentityCondition {
    chain.condition(at: now, window)
  }
}

extension ClientCertificateChain {
  func condition(at now: Timestamp, _ window: RenewalWindow) -> IdentityCondition {
    if now > notAfter { return .expired }
    if now < notBefore { return .notYetValid }
    guard leaf.isForClients else { return .wrongUsage }
    return now >= window.begins(in: self) ? .due : .good
  }

  /// Why a server would refuse it at that time, whoever issued it; `nil` if nothing is known.
  func objection(at now: Timestamp) -> String? {
    switch condition(at: now, .before(seconds: 0)) {
    case .good, .due: nil
    case .expired: "the certificate expired at \(notAfter)"
    case .notYetValid: "the certificate is not valid before \(notBefore)"
    case .wrongUsage: "the certificate is not for TLS clients (key usage, or extended key usage)"
    }
  }
}
