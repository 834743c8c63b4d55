import Arguments
import Primitives
import SDKCore

extension IdentityName: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> IdentityName {
    do {
      return try IdentityName(text)
    } catch {
      throw ValueError("not a name of an identity")
    }
  }
}

extension IdentityHost: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> IdentityHost {
    do {
      return try IdentityHost(text)
    } catch {
      let parts = text.split(separator: ":")
      if parts.count == 2, UInt16(parts[1]) != nil, (try? IdentityHost(String(parts[0]))) != nil {
        throw ValueError("an identity is for all ports of a host: '\(parts[0])'")
      }
      throw ValueError("not a host name, nor '*.' and a domain of one owner")
    }
  }
}

extension RenewalWindow: ArgumentValue {
  static func reading(_ text: String) throws(ValueError) -> RenewalWindow {
    guard let window = RenewalWindow(text) else {
      guard text.hasSuffix("%") else {
        return .before(seconds: try TimeSpan.reading(text).seconds)
      }
      throw ValueError("not a percentage from 1% to 100%")
    }
    return window
  }
}

extension Operand where Arguments: Sendable {
  /// The name of an identity; the only one if none is given.
  static func identity(_ path: any Path<IdentityName?>) -> Self {
    .optional("NAME", path, "An identity; may be left out if there is only one")
      .completing(.dynamic("identities"))
  }
}

let identityPage = CommandInfo(
  name: "identity", group: .setup, summary: "Manage client certificates",
  description: """
    An identity is a client certificate with its chain and its private key. See {identities}.
    """,
  examples: [
    ("sdkctl identity import alice.p12", "Import an identity"),
    ("sdkctl identity list", "List the identities"),
  ],
  seeAlso: ["identities"])

extension Option where Arguments: Sendable {
  static func keyURI(_ path: any Path<String?>) -> Self {
    .value("key-uri", "URI", path, "Use the key of a security token (PKCS #11)")
  }

  static func seal(_ path: any Path<Bool>) -> Self {
    .flag("seal", path, "Encrypt the key under a passphrase")
      .more("`--passphrase-file` alone does so too.")
  }
}

extension Context {
  /// The passphrase for a new key; `nil` if the key is not to be sealed.
  func newPassphrase(isWanted: Bool) async throws -> [UInt8]? {
    guard isWanted || globals.passphraseFile != nil else { return nil }
    return Array(try await newSecret("passphrase", file: globals.passphraseFile).utf8)
  }

  /// Tells which tokens a replaced certificate makes useless (RFC 8705 section 3).
  func warnOfBoundTokens(
    _ former: ClientCertificateChain?, replacedBy new: ClientCertificateChain?,
    in session: ProfileSession
  ) async {
    guard let former, former != new else { return }
    for slot in await session.tokens.slots(boundTo: former) {
      warning(
        "the access token of the slot \(slot.rawValue) is bound to the former certificate",
        hint: Remedy.login(.init(slot)).commandLine(for: session.profile.name))
    }
  }
}
