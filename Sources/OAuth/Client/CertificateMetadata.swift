import JOSE
import JSON
import Primitives

/// The registration metadata of a client's certificate (RFC 8705 section 2).
public struct CertificateMetadata: Sendable, Hashable {
  /// The names by which a certificate of an authority can be recognised, as members of the
  /// registration (RFC 8705 section 2.1.2).
  public enum Name: String, Sendable, CaseIterable {
    /// The distinguished name of the subject (RFC 4514).
    case subject = "tls_client_auth_subject_dn"
    /// A DNS name of the alternative names.
    case dns = "tls_client_auth_san_dns"
    /// A URI of the alternative names.
    case uri = "tls_client_auth_san_uri"
    /// An IP address of the alternative names.
    case ip = "tls_client_auth_san_ip"
    /// An e-mail address of the alternative names.
    case email = "tls_client_auth_san_email"
  }

  /// The chain in DER, the client's own certificate first.
  package let chain: [[UInt8]]
  /// Which name is registered.
  package let name: Name
  /// Its value: of the subject, the text of RFC 4514.
  package let value: String

  package init(chain: [[UInt8]], name: Name, value: String) {
    self.chain = chain
    self.name = name
    self.value = value
  }

  /// The registered members: a name if an authority issued the certificate, else the
  /// certificate itself (RFC 8705 section 2.2.2).
  func members(for method: ClientAuthentication.Method, key: SigningKey?) -> JSONObject {
    guard method == .selfSignedTLSClientAuth else { return [name.rawValue: .string(value)] }
    guard let key else { return [:] }
    var member = key.publicKey.json.object ?? [:]
    member["x5c"] = .strings(chain.map { Base64.encode($0) })
    return ["jwks": ["keys": [.object(member)]]]
  }

  /// The member that requests tokens bound to the certificate, and that announces them.
  package static let bindsTokens = "tls_client_certificate_bound_access_tokens"

  /// All members that depend on the certificate.
  package static let members = Name.allCases.map(\.rawValue) + [bindsTokens]
}
