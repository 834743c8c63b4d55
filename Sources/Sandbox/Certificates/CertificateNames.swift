import Primitives

/// The names of a certificate by which clients are registered (RFC 8705 section 2.1.2).
struct CertificateNames {
  let certificate: Certificate

  /// The members of a registration, of which exactly one names the client.
  static let members = [
    "tls_client_auth_subject_dn", "tls_client_auth_san_dns", "tls_client_auth_san_uri",
    "tls_client_auth_san_ip", "tls_client_auth_san_email",
  ]

  /// Whether the certificate has the name that a member registered.
  func match(_ member: String, _ name: String) -> Bool {
    switch member {
    case "tls_client_auth_subject_dn":
      return Self.normal(name) == Self.normal("\(certificate.subject)")
    case "tls_client_auth_san_dns":
      return certificate.names.contains {
        if case .dns(let one) = $0 { same(one, name) } else { false }
      }
    case "tls_client_auth_san_uri":
      return certificate.names.contains {
        if case .uri(let one) = $0 { one == name } else { false }
      }
    case "tls_client_auth_san_ip":
      guard let bytes = IPAddress(name)?.bytes else { return false }
      return certificate.names.contains {
        if case .address(let one) = $0 { one == bytes } else { false }
      }
    case "tls_client_auth_san_email":
      return certificate.names.contains {
        if case .email(let one) = $0 { same(one, name) } else { false }
      }
    default: return false
    }
  }

  /// A distinguished name as RFC 4514 writes it, without the liberties it leaves: no spaces
  /// around commas, types in capitals.
  static func normal(_ name: String) -> [String] {
    var parts: [String] = [""]
    var isEscaped = false
    for character in name {
      if character == ",", !isEscaped {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts.map { part in
      let halves = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      guard halves.count == 2 else { return part }
      let name = halves[0].uppercased()
      let type = name == "EMAILADDRESS" ? "E" : name
      let value = halves[1].hasSuffix("\\ ") ? String(halves[1]) : trimmed(halves[1])
      return "\(type)=\(value)"
    }
  }

  private func same(_ one: String, _ other: String) -> Bool {
    one.lowercased() == other.lowercased()
  }

  private static func trimmed(_ text: Substring) -> String {
    var rest = text
    while rest.last == " " { rest.removeLast() }
    return String(rest)
  }
}
