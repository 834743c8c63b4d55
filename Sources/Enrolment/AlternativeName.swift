import OpenSSL
import Primitives

/// An alternative name of a certificate: `DNS:host`, `IP:address`, `email:address` or `URI:uri`.
struct AlternativeName: Sendable, Hashable {
  enum Kind: String, Sendable { case dns, ip, email, uri }

  let kind: Kind
  let value: String

  init?(_ text: String) {
    let word = text.prefix { $0 != ":" }
    let value = String(text.dropFirst(word.count + 1))
    guard let kind = Kind(rawValue: word.asciiLowercased), !value.isEmpty,
      kind != .ip || IPAddress(value) != nil, value.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
    else { return nil }
    (self.kind, self.value) = (kind, value)
  }
}

extension CertificateRequestContent {
  mutating func add(_ name: AlternativeName) {
    switch name.kind {
    case .dns: dnsNames.append(name.value)
    case .ip: ipAddresses.append(name.value)
    case .email: emailAddresses.append(name.value)
    case .uri: uris.append(name.value)
    }
  }
}
