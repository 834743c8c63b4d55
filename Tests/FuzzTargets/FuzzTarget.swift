import AppConfigurations
import Arguments
import HTTP
import JOSE
import JSON
import OAuth
import OpenSSL
import PinFormats
import Pinning
import Primitives
import SDKCore
import UAF
import WebForms

@testable import Commands

/// What reads bytes of strangers; each is named as its folder of Tests/Fuzz/Corpus.
///
/// A target traps if a rule of its format is broken; that malformed bytes are refused is expected.
package enum FuzzTarget: String, CaseIterable, Sendable {
  case arguments, certificate, configuration, fields, forms, json, key, messages, pins
  case redirect, token, url

  /// Reads the bytes.
  package func run(_ bytes: [UInt8]) {
    switch self {
    case .arguments: Self.arguments(bytes)
    case .certificate: Self.certificate(bytes)
    case .configuration:
      _ = try? AppConfiguration(reading: bytes)
      _ = try? ProfileDocument(reading: bytes)
    case .fields: Self.fields(bytes)
    case .forms: Self.forms(bytes)
    case .json: Self.json(bytes)
    case .key: Self.key(bytes)
    case .messages: Self.messages(bytes)
    case .pins: Self.pins(bytes)
    case .redirect: Self.redirect(bytes)
    case .token: Self.token(bytes)
    case .url: Self.url(bytes)
    }
  }

  /// Words that are separated by NUL, as a shell would pass them.
  private static func arguments(_ bytes: [UInt8]) {
    _ = commandTable.read(
      bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init))
  }

  private static func certificate(_ bytes: [UInt8]) {
    _ = try? Certificate.list(pem: bytes)
    _ = try? Certificate.list(pkcs7: bytes)
    _ = try? CertificateRequest(der: bytes)
    _ = try? PKCS12.read(bytes, password: nil)
    guard let certificate = try? Certificate(der: bytes) else { return }
    _ = (certificate.subject, certificate.issuer, certificate.dnsNames)
  }

  private static func fields(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    var fields = HTTPFields()
    for line in lines {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let field = line[..<colon].withUnsafeBytes { name in
        line[(colon + 1)...].withUnsafeBytes { HTTPField(receivedName: name, value: $0) }
      }
      if let field { fields.append(field) }
    }
    for value in fields.values(of: "Content-Range") { _ = ContentRange(value) }
    for value in fields.values(of: "Date") { _ = HTTPDate.read(value) }
    guard let url = try? HTTPURL("https://a.example.com/b/c") else { return }
    let response = HTTPResponse(status: 401, fields: fields, url: url)
    _ = (response.challenges, response.links)
    for value in fields.values(of: "Set-Cookie") {
      let cookie = Cookie(
        setCookie: value, from: url, at: 1_800_000_000, isPublicSuffix: PublicSuffix.contains)
      guard let cookie else { continue }
      require("a.example.com".hasSuffix(cookie.domain), "a cookie is for its server")
    }
    for value in fields.values(of: "Location") {
      guard let other = try? url.resolving(value) else { continue }
      require((try? HTTPURL(other.description)) == other, "an address is read as it is written")
    }
  }

  private static func forms(_ bytes: [UInt8]) {
    guard let url = try? HTTPURL("https://a.example.com/") else { return }
    for form in HTMLForm.all(in: bytes) {
      _ = form.fields
      _ = try? url.resolving(form.action)
    }
  }

  private static func json(_ bytes: [UInt8]) {
    guard let value = try? JSON(parsing: bytes) else { return }
    for layout in [JSON.Layout.compact, .pretty] {
      require(
        (try? JSON(parsing: value.serializedBytes(layout))) == value,
        "JSON is read as it is written")
    }
  }

  private static func key(_ bytes: [UInt8]) {
    _ = try? KeyFile(bytes)
    _ = try? PrivateKey(pem: bytes, passphrase: "secret")
    _ = try? PrivateKey(der: bytes)
  }

  /// Messages of FIDO servers.
  private static func messages(_ bytes: [UInt8]) {
    _ = try? UAFAuthenticationRequest(parsing: bytes)
    _ = try? UAFRegistrationRequest(parsing: bytes)
    _ = try? UAFDeregistrationRequest(parsing: bytes)
    _ = try? TrustedFacets(parsing: bytes)
  }

  private static func pins(_ bytes: [UInt8]) {
    let host = PinPattern("*.example.com")
    for format in PinFormat.allCases {
      guard let read = try? format.read(bytes, for: host) else { continue }
      require(!read.sets.isEmpty, "what was read has pins")
    }
  }

  private static func redirect(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = AuthorizationResponse(encoded: text)
    _ = AuthorizationResponse(pasted: text)
    guard let parameters = FormParameters(encoded: text) else { return }
    require(
      FormParameters(encoded: parameters.encoded) == parameters,
      "parameters are read as they are written")
  }

  private static func token(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? TokenContent(text, decryptingWith: nil)
    let report = TokenVerifier(
      keys: JWKSet(keys: []), TokenExpectations(now: 1_800_000_000)
    ).report(on: text)
    require(report.verdict != .valid, "no token is valid without a key")
  }

  private static func url(_ bytes: [UInt8]) {
    guard let url = try? HTTPURL(String(decoding: bytes, as: UTF8.self)) else { return }
    require((try? HTTPURL(url.description)) == url, "an address is read as it is written")
  }

  /// Ends the process if a rule is broken, as the fuzzer expects.
  private static func require(_ holds: Bool, _ rule: StaticString) {
    guard holds else { fatalError("\(rule)") }
  }
}
