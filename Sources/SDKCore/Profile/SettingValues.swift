import HTTP
import JOSE
import JSON
package import OpenSSL
import Primitives

/// The types of private keys that are made here.
public enum PrivateKeyType: String, Sendable, Hashable, CaseIterable {
  case p256, p384, p521, rsa2048, rsa3072, rsa4096, ed25519

  package var kind: KeyKind {
    switch self {
    case .p256: .ec(.p256)
    case .p384: .ec(.p384)
    case .p521: .ec(.p521)
    case .rsa2048: .rsa(bits: 2048)
    case .rsa3072: .rsa(bits: 3072)
    case .rsa4096: .rsa(bits: 4096)
    case .ed25519: .ed25519
    }
  }
}

enum ServerPublicKey {
  /// Reads a JWK with a key on P-256 or X25519, or 64 hexadecimal digits for X25519.
  ///
  /// The digits are the vendor's spelling of 32 bytes.
  static func read(_ text: String) -> JWK? {
    let members: JSON
    if let bytes = Hex.decode(text.utf8) {
      members = ["kty": "OKP", "crv": "X25519", "x": .string(Base64URL.encode(bytes))]
    } else {
      guard let json = try? JSON(parsing: text) else { return nil }
      members = json
    }
    guard let key = try? JWK(json: members), key.incompatibility(with: .ecdhES) == nil else {
      return nil
    }
    return [.ec(.p256), .x25519].contains(key.publicKey?.kind) ? key : nil
  }
}

/// The proxy of a profile, which takes the place of the environment's.
public enum ProxySetting: Sendable, Hashable {
  /// No proxy, whatever the environment says.
  case direct
  /// The URL of the proxy.
  case url(String)

  /// Reads `none`, or a URL of a scheme that libcurl knows, with a host and without a user.
  ///
  /// A password is a secret, which settings do not have.
  init?(_ text: String) {
    if text == "none" {
      self = .direct
      return
    }
    guard let scheme = Self.schemes.first(where: { text.hasPrefix($0 + "://") }),
      let url = try? HTTPURL("https" + text.dropFirst(scheme.utf8.count)),
      url.path == "/", url.query == nil, !text.utf8.contains(UInt8(ascii: "#"))
    else { return nil }
    self = .url(text)
  }

  private static let schemes = ["https", "http", "socks5", "socks5h"]
}

extension ValueType<ProxySetting> {
  static var proxy: Self {
    text("none, or a URL such as http://proxy.example.com:3128, without a user", pattern: nil) {
      ProxySetting($0)
    }
  }
}

/// The place of the JWT in the response of a login.
///
/// How Nevis delivers its JWT is not public, so a profile names the place (docs/vendors.md).
package enum ReturnedTokenSource: Sendable, Hashable {
  /// A header field; a scheme such as `Bearer` before the token is not part of it.
  case header(String)
  /// A member of the JSON body; dots between levels.
  case member(String)
  /// A cookie that the login set.
  case cookie(String)

  /// Reads `header:NAME`, `member:NAME` or `cookie:NAME`.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "header": self = .header(parts[1])
    case "member": self = .member(parts[1])
    case "cookie": self = .cookie(parts[1])
    default: return nil
    }
  }

  var names: [String] {
    switch self {
    case .header(let name), .cookie(let name): [name]
    case .member(let path): path.split(separator: ".").suffix(1).map(String.init)
    }
  }

  func text(in response: HTTPResponse, _ cookies: [Cookie]) -> String? {
    switch self {
    case .header(let name): return (response.fields[name] ?? "").words.last
    case .member(let path):
      guard let document = try? JSON(parsing: response.body, maximumDepth: 32) else { return nil }
      let names = path.split(separator: ".").map(String.init)
      return names.reduce(document as JSON?) { $0?[$1] }?.string
    case .cookie(let name):
      return cookies.first { sameIdentifier($0.name, name) }?.value
    }
  }

  /// The places that are searched in this order if the profile does not name one.
  static let usual: [ReturnedTokenSource] = [
    .header("Authorization"), .member("token"), .member("jwt"), .member("access_token"),
    .member("id_token"),
  ]

  /// The same for a token that may be no JWT.
  static let ofAnyToken: [ReturnedTokenSource] = [
    .header("Authorization"), .member("token"), .member("access_token"),
  ]

  static func isJWT(_ text: String) -> Bool { (try? JWT(text)) != nil }

  /// Whether a text can be a token in a header field (RFC 6750 section 2.1) that nobody guesses.
  static func isToken(_ text: String) -> Bool {
    text.utf8.count >= 16
      && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-._~+/=".utf8.contains($0) }
  }
}
