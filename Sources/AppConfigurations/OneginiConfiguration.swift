import HTTP
import JSON
import OpenSSL
import Pinning
import Primitives
import SDKCore

/// The configuration of the SDK of Onegini (OneWelcome, Thales), as settings of a profile.
///
/// The export of the token server (`config.json` with certificates beside it), or the dictionary of an app with
/// keys that begin with `ONG`, or `kOG` in old versions (docs/vendors.md).
struct OneginiConfiguration {
  private(set) var settings = AppConfiguration(.onegini)
  private let members: JSONObject

  /// Whether a member is of the vendor.
  static func isMeant(by members: JSONObject) -> Bool {
    exported.contains { members[$0] != nil } || members.keys.contains(where: isPrefixed)
  }

  init(_ members: JSONObject, _ folder: ConfigurationFolder) throws(SDKError) {
    self.members = members
    let server = text("token_server_uri", "AppBaseURL")
    let texts = try resourceURLs()
    try set("issuer", to: server)
    try set("resourceURL", to: texts.first)
    let (servers, resources) = (try urls([server].compactMap { $0 }), try urls(texts))
    let further = resources.dropFirst().map(\.authority).filter { $0 != resources[0].authority }
    if !further.isEmpty {
      settings.settings.append(("allowedHosts", unique(further).joined(separator: ",")))
    }
    try set("redirectURI", to: text("redirect_url", "RedirectURL"))
    if let count = members["max_pin_failures"]?.int ?? members["kOGMaxPinFailures"]?.int {
      try set("seal.passcodeAttempts", to: String(count))
    }
    try setKey()
    settings.software = text("application_identifier", "AppIdentifier").map {
      ($0, text("application_version", "AppVersion"))
    }
    let keys = try certificates(folder).map { PinnedKey(of: $0) }
    let hosts = unique((servers + resources).map(\.authority))
    settings.pinSets = hosts.compactMap { PinPattern($0).map { PinSet($0, keys: keys) } }
      .filter { !$0.keys.isEmpty }
    settings.notes = notes(hasKeys: !keys.isEmpty)
  }

  /// The URLs of the resources, the base of paths first.
  private func resourceURLs() throws(SDKError) -> [String] {
    guard let value = members["resource_gateway_uri"] else {
      let further = members["additionalResourceUrls"]?.strings ?? []
      return [text(nil, "ResourceBaseURL")].compactMap { $0 } + further
    }
    guard let texts = value.strings, !texts.isEmpty else {
      throw AppConfiguration.failure("resource_gateway_uri is not an array of URLs")
    }
    return texts
  }

  private func urls(_ texts: [String]) throws(SDKError) -> [HTTPURL] {
    var urls: [HTTPURL] = []
    for text in texts {
      do throws(HTTPURLError) { urls.append(try HTTPURL(text)) } catch {
        throw AppConfiguration.failure("the URL '\(text)': \(error)")
      }
    }
    return urls
  }

  private mutating func set(_ key: String, to text: String?) throws(SDKError) {
    guard let text else { return }
    settings.settings.append(
      try AppConfiguration.setting(key, to: text, named: "the value for \(key)"))
  }

  /// The key for encrypted payloads, if this program can use it.
  private mutating func setKey() throws(SDKError) {
    let value = members["server_public_key"] ?? members["serverPublicKey"]
    guard let text = value?.string ?? value?["encoded"]?.string, !text.isEmpty else { return }
    guard let setting = try? AppConfiguration.setting("serverPublicKey", to: text, named: "") else {
      return settings.notes.append("the public key of the server is of a kind that is not used")
    }
    settings.settings.append(setting)
  }

  /// The certificates of the export, or those in the dictionary.
  private func certificates(_ folder: ConfigurationFolder) throws(SDKError) -> [Certificate] {
    guard let values = members["certificates"] else {
      return folder.certificates.map(\.certificate)
    }
    guard let texts = values.strings else {
      throw AppConfiguration.failure("certificates is not an array of texts")
    }
    var certificates: [Certificate] = []
    for text in texts {
      let pem = text.hasPrefix("-----BEGIN") ? try? Certificate.list(pem: Array(text.utf8)) : nil
      let der = Base64.decode(text.utf8.filter { $0 > 0x20 })
      guard let found = pem?.first ?? der.flatMap({ try? Certificate(der: $0) }) else {
        throw AppConfiguration.failure("certificates has a value that is not a certificate")
      }
      certificates.append(found)
    }
    return certificates
  }

  private func notes(hasKeys: Bool) -> [String] {
    var notes = settings.notes
    if !hasKeys { notes.append("it has no certificates: pin the keys of its hosts") }
    return notes
  }

  /// A text by its name in an export, or by that in a dictionary without its prefix.
  private func text(_ exported: String?, _ name: String) -> String? {
    for name in [exported].compactMap({ $0 }) + Self.prefixes.map({ $0 + name }) {
      if let text = members[name]?.string, !text.isEmpty { return text }
    }
    return nil
  }

  private func unique(_ texts: [String]) -> [String] {
    texts.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func isPrefixed(_ name: String) -> Bool {
    prefixes.contains { name.hasPrefix($0) }
  }

  private static let prefixes = ["ONG", "kOG"]
  private static let exported = [
    "token_server_uri", "resource_gateway_uri", "application_identifier",
  ]
}
