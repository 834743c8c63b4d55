import HTTP
public import JSON
import OAuth

/// One configuration key of a profile: its name, type and meaning.
///
/// `profile set`, the validation of `profile.json`, completion and the manual all
/// read this table.
public struct ProfileKey: Sendable {
  /// What a value looks like.
  public enum Kind: Sendable, Hashable {
    /// Any text.
    case text
    /// Words separated by spaces.
    case words
    /// An `https` URL without query and fragment.
    case issuer
    /// An `https` URL.
    case url
    /// An absolute path.
    case path
    /// `true` or `false`.
    case boolean
    /// A port number.
    case port
    /// An array of `HOST` or `HOST:PORT`.
    case hosts
    /// Whole seconds, at most a day.
    case seconds
    /// `NAME=VALUE`, several joined by `&`.
    case parameters
    /// `NAME=VALUE`, several joined by `&`, of any name.
    case formFields
    /// Where a response has a token: `header:NAME`, `member:NAME` or `cookie:NAME`.
    case tokenPlace
    /// A public key that payloads are encrypted to.
    case encryptionKey
    /// One of these words.
    case choice([String])

    /// In words, for messages and the manual.
    public var description: String {
      switch self {
      case .text: "text"
      case .words: "words separated by spaces"
      case .issuer: "an https URL without query and fragment"
      case .url: "an https URL"
      case .path: "an absolute path"
      case .boolean: "true or false"
      case .port: "a number from 1 to 65535"
      case .hosts: "HOST or HOST:PORT, several separated by commas"
      case .seconds: "whole seconds, at most a day"
      case .parameters: "NAME=VALUE, several joined by &, except those that login sets"
      case .formFields: "NAME=VALUE, several joined by &"
      case .tokenPlace: "header:NAME, member:NAME or cookie:NAME"
      case .encryptionKey: "a JWK (P-256 or X25519), or 64 hexadecimal digits (X25519)"
      case .choice(let words): words.joined(separator: ", ")
      }
    }
  }

  /// The key, with dots between levels, as on the command line and as path in the file.
  public let name: String
  /// The type of its value.
  public let kind: Kind
  /// One line about it.
  public let summary: String
  /// Words of a choice that this version cannot do, each with the cause.
  var unavailable: [String: String] = [:]

  /// The words that can be set, if there is a fixed set of them.
  public var words: [String] {
    switch kind {
    case .boolean: ["true", "false"]
    case .choice(let words): words.filter { unavailable[$0] == nil }
    default: []
    }
  }

  /// What a value must be, in words, for messages and the manual.
  public var expected: String {
    if case .choice = kind { words.joined(separator: ", ") } else { kind.description }
  }

  /// All keys, in the order of the manual.
  public static let all: [ProfileKey] =
    [
      ProfileKey(name: "issuer", kind: .issuer, summary: "The authorization server's issuer"),
      ProfileKey(
        name: "resourceURL", kind: .url, summary: "What the paths of fetch are appended to"),
      ProfileKey(
        name: "clientID", kind: .text, summary: "The client ID, if no registration is stored"),
      ProfileKey(name: "scope", kind: .words, summary: "The scope that login asks for"),
      ProfileKey(
        name: "anonymousScope", kind: .words, summary: "The scope of this installation's own token"),
      ProfileKey(
        name: "implicitScope", kind: .words,
        summary: "The scope of an implicit token, of what the user granted"),
      ProfileKey(
        name: "par", kind: .boolean, summary: "Whether login pushes its request (RFC 9126)"),
      ProfileKey(
        name: "dpop", kind: .choice(["off", "on", "required"]),
        summary: "Whether tokens are bound to a key (DPoP); required refuses bearer tokens"),
      ProfileKey(
        name: "jar", kind: .boolean, summary: "Whether login signs its request (RFC 9101)"),
      ProfileKey(
        name: "caFile", kind: .path, summary: "PEM file of the authorities to trust"),
      ProfileKey(
        name: "pinPolicy", kind: .choice(["enforce", "report"]),
        summary: "Whether a missing or wrong pin stops a transfer"),
      ProfileKey(
        name: "pinReportFile", kind: .path,
        summary: "File to which a line of JSON is added for each pin mismatch"),
      ProfileKey(
        name: "pinReportURL", kind: .url,
        summary: "Where each pin mismatch is reported to; its host must be pinned"),
      ProfileKey(
        name: "pinUpdateKey", kind: .text,
        summary: "Thumbprint of the key that signs pin sets for `pin update`"),
      ProfileKey(
        name: "allowedHosts", kind: .hosts,
        summary: "Hosts that get the token, besides that of resourceURL"),
      ProfileKey(
        name: "insecureLoopback", kind: .boolean,
        summary: "Whether http:// to this machine is allowed"),
      ProfileKey(
        name: "idleTimeout", kind: .seconds,
        summary: "How long a server may send nothing, without a time limit (60); 0 for no limit"),
      ProfileKey(
        name: "redirectPort", kind: .port, summary: "The port that login listens on"),
      ProfileKey(
        name: "identityProviders", kind: .words,
        summary: "The identity providers that may be named, if they are known"),
      ProfileKey(
        name: "accountURL", kind: .url, summary: "The page on which people make an account"),
      ProfileKey(
        name: "resetPasswordURL", kind: .url,
        summary: "The page on which people who forgot their password get a new one"),
      ProfileKey(
        name: "defaultAccess", kind: .choice(["user", "implicit", "anonymous", "unauth"]),
        summary: "The access of fetch if none is chosen"),
    ]
    + protections
    + quirks
    + identityKeys
    + formKeys
    + ServerMetadata.Endpoint.allCases.map {
      ProfileKey(
        name: "endpoints.\($0.name)", kind: .url,
        summary: "Used instead of \($0.rawValue) of the server's metadata")
    }
    + ownEndpoints

  /// The key of that name.
  public static func named(_ name: String) -> ProfileKey? { all.first { $0.name == name } }

  /// Reads a value as it is typed; the error says what was expected.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, which says what was expected.
  public func value(from text: String) throws(SDKError) -> JSON {
    if let cause = unavailable[text] {
      throw SDKError(
        .invalidConfiguration, "could not use the value of '\(name)': \(cause)")
    }
    let value: JSON
    switch kind {
    case .boolean:
      guard text == "true" || text == "false" else { throw invalid() }
      value = .bool(text == "true")
    case .port:
      guard let port = UInt16(text), port > 0 else { throw invalid() }
      value = .int(Int64(port))
    case .seconds:
      guard let seconds = Int64(text) else { throw invalid() }
      value = .int(seconds)
    case .hosts:
      value = .strings(
        text.split(separator: ",").map { HTTPURL.withALabels("https://\($0)").dropFirst(8) }
          .map(String.init))
    case .url, .issuer: value = .string(HTTPURL.withALabels(text))
    default:
      value = .string(text)
    }
    try check(value)
    return value
  }

  /// A value as it is typed.
  public func text(of value: JSON) -> String {
    value.string ?? value.strings?.joined(separator: ",") ?? value.serialized()
  }

  /// Checks a value as it stands in a document.
  ///
  /// - Throws: ``SDKError/Code/invalidConfiguration``, which says what was expected.
  public func check(_ value: JSON) throws(SDKError) {
    switch kind {
    case .boolean: guard value.bool != nil else { throw invalid() }
    case .port: guard let port = value.int, (1...65535).contains(port) else { throw invalid() }
    case .seconds: guard let time = value.int, (0...86_400).contains(time) else { throw invalid() }
    case .hosts:
      guard let hosts = value.strings, !hosts.isEmpty,
        hosts.allSatisfy({ HostAndPort($0) != nil })
      else { throw invalid() }
    case .choice(let words):
      guard let word = value.string, words.contains(word) else { throw invalid() }
    case .text, .words, .path, .issuer, .url, .parameters, .formFields, .tokenPlace, .encryptionKey:
      guard let text = value.string else { throw invalid() }
      try check(text)
    }
  }

  private func check(_ text: String) throws(SDKError) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw invalid() }
    do {
      switch kind {
      case .issuer: _ = try Issuer(text)
      case .url: _ = try HTTPURL(text)
      case .path: guard text.hasPrefix("/") else { throw invalid() }
      case .encryptionKey: guard ServerPublicKey.read(text) != nil else { throw invalid() }
      case .formFields: guard FormParameters(encoded: text) != nil else { throw invalid() }
      case .tokenPlace: guard TokenPlace(text) != nil else { throw invalid() }
      case .parameters: guard Self.areFree(text) else { throw invalid() }
      default: break
      }
    } catch let error as HTTPURLError {
      throw SDKError(.invalidConfiguration, "could not use the value of '\(name)': \(error)")
    } catch {
      throw invalid()
    }
  }

  private func invalid() -> SDKError {
    SDKError(
      .invalidConfiguration, "could not use the value of '\(name)': expected \(expected)")
  }
}
