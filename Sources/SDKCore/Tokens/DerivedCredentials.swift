public import JSON
import OAuth
import OpenSSL
import POSIX
public import Primitives

/// A credential that was obtained with the token of a slot: a token with less scope or for another
/// service, or what a service gave for one.
public struct DerivedCredential: Sendable, Hashable {
  /// What it consists of, as it is stored: secrets included.
  public let members: JSONObject
  /// When it expires; `nil` if that is not known.
  public let expires: Timestamp?

  /// Makes a credential of what a service gave.
  public init(_ members: JSONObject, expires: Timestamp?) {
    self.members = members
    self.expires = expires
  }

  func isValid(at now: Timestamp, minimumLifetime: Int64) -> Bool {
    guard let expires else { return false }
    return expires > now + max(0, minimumLifetime)
  }
}

/// The derived credentials on disk: `credentials/derived/DIGEST.json`, mode 0600.
///
/// A login and a logout erase all of them, because they come from the tokens that then change. A profile
/// whose secrets are not in files stores none.
struct DerivedCredentials {
  private let environment: SessionEnvironment
  private let issuer: String

  init(_ environment: SessionEnvironment) {
    self.environment = environment
    issuer = environment.profile.issuer?.text ?? ""
  }

  /// The credential for a request; `nil` if none is stored, or its file cannot be used.
  func load(_ request: [String]) -> DerivedCredential? {
    guard let document = try? StoreDocument.read(path(request), .secret),
      document.members["request"]?.strings == request,
      let members = document.members["credential"]?.object,
      let expires = document.members["expires"]?.time
    else { return nil }
    return DerivedCredential(members, expires: expires)
  }

  func save(_ credential: DerivedCredential, for request: [String]) throws(SDKError) {
    guard let expires = credential.expires, try environment.secrets.areInFiles() else { return }
    // Otherwise expired ones of other requests would accumulate.
    if let names = try? Directory.entries(directory), names.count >= Self.maximumCount {
      try erase()
    }
    try StoreDocument(
      path: try path(request), secrecy: .secret,
      members: [
        "request": .strings(request), "credential": .object(credential.members),
        "expires": .time(expires),
      ]
    ).write()
  }

  /// A random text that is erased with all of them, made if it is missing.
  ///
  /// `nil` if none are stored.
  func mark() throws(SDKError) -> String? {
    guard try environment.secrets.areInFiles() else { return nil }
    let path = environment.userFile("credentials/derived/mark.json")
    if let mark = try StoreDocument.read(path, .secret)?.members["mark"]?.string { return mark }
    let mark = Hex.encode(try attempt { try Random.bytes(16) })
    try StoreDocument(path: path, secrecy: .secret, members: ["mark": .string(mark)]).write()
    return mark
  }

  func erase() throws(SDKError) {
    try attempt("could not erase the tokens for other services", as: .store) {
      if FileStatus.exists(directory) { try Directory.remove(tree: directory) }
    }
  }

  private func path(_ request: [String]) throws(SDKError) -> StorePath {
    let text = JSON.strings([issuer] + request).serialized()
    let name = Hex.encode(try digest(of: text.utf8).prefix(16))
    return environment.userFile("credentials/derived/\(name).json")
  }

  private var directory: String { environment.userFile("credentials/derived").text }

  private static let maximumCount = 64
}
