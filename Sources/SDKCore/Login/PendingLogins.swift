import HTTP
import JOSE
import OAuth
import OpenSSL
import POSIX
import Primitives

/// The logins of all profiles that wait for an address of their URL scheme.
///
/// Each has a socket in a directory of this user. Its name is made of digests of the
/// redirect URI and of the state, so that the directory shows nothing about the logins.
public struct PendingLogins: Sendable {
  /// The result of a delivery.
  public enum Delivery: Sendable, Hashable {
    /// The login that waited for it goes on.
    case accepted
    /// It is not the response to a login that waits; the reason, in words. The logins continue to
    /// wait.
    case refused(String)
    /// No login waits for it.
    case unexpected
  }

  private let directories: [String]

  /// The pending logins of a store.
  public init(_ location: StoreLocation) { directories = location.pendingPlaces }

  /// Hands an address to the login that waits for it.
  ///
  /// That of the same state gets it, else each with the same redirect URI.
  ///
  /// - Throws: ``SDKError``: `invalidRequest` if it is not an address, `storePermissions`
  ///   when others could put sockets of their own into the directory.
  public func deliver(_ address: String) async throws(SDKError) -> Delivery {
    let bytes = Array(address.utf8)
    guard bytes.count <= Self.longestAddress, let name = try PendingName(address: address) else {
      throw SDKError(
        .invalidRequest, "\(Self.action): this is not an address with a private-use URL scheme")
    }
    var places: [(directory: String, name: String)] = []
    for directory in directories where FileStatus.exists(directory) {
      do { try Self.requirePrivate(directory) } catch { throw error.during(Self.action) }
      places += LocalSocket.names(in: directory).map { (directory, $0) }
    }
    let exact = places.filter { name.hasState(of: $0.name) }
    let candidates = exact.isEmpty ? places.filter { name.hasRedirect(of: $0.name) } : exact
    var result = Delivery.unexpected
    for place in candidates {
      let reply = try await attempt(Self.action, as: .localData) {
        try await BackgroundThread.run { Self.ask(place.name, place.directory, bytes) }
      }
      if reply == "accepted" { return .accepted }
      if let reply, reply.hasPrefix("refused ") {
        result = .refused(String(reply.dropFirst("refused ".count)))
      }
    }
    return result
  }

  /// One exchange of messages; `nil` if nobody listens.
  private static func ask(_ name: String, _ directory: String, _ address: [UInt8]) -> String? {
    do throws(SystemError) {
      guard let socket = try LocalSocket.connect(to: name, in: directory),
        socket.send(address[...]) == address.count
      else { return nil }
      socket.finishSending()
      let reply = socket.receiveAll(limit: 4096, within: .seconds(10))
      return reply.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) }
    } catch {
      return nil
    }
  }

  /// Removes what processes have left behind that are gone.
  static func sweep(_ directory: String) {
    for name in LocalSocket.names(in: directory) {
      _ = try? LocalSocket.connect(to: name, in: directory)
    }
  }

  /// Refuses a directory that is a link, or another's, or open to others.
  package static func requirePrivate(_ directory: String) throws(SDKError) {
    let status = try attempt(as: .store) { try FileStatus.of(directory, followLinks: false) }
    guard status.kind == .directory, status.isOwnedByUser, status.isPrivate else {
      throw SDKError(
        .storePermissions, cause: "'\(directory)' is not a directory of yours alone",
        subject: directory, remedy: .protect([FileProtection(.mode(0o700), of: [directory])]))
    }
  }

  static let longestAddress = 16_384
  private static let action = "could not pass on the address"
}

struct PendingName {
  let text: String
  private let redirect: String
  private let state: String

  init(_ request: AuthorizationRequest) throws(SDKError) {
    try self.init(RedirectURI(request.redirectURI)?.key ?? request.redirectURI, request.state)
  }

  init?(address: String) throws(SDKError) {
    guard let redirect = RedirectURI(address), let query = redirect.parameters(in: address) else {
      return nil
    }
    try self.init(redirect.key, FormParameters(encoded: query)?["state"] ?? "")
  }

  private init(_ redirect: String, _ state: String) throws(SDKError) {
    (self.redirect, self.state) = (try Self.digest(redirect), try Self.digest(state))
    text = "\(self.redirect).\(self.state)"
  }

  func hasState(of name: String) -> Bool { name.hasSuffix("." + state) }

  func hasRedirect(of name: String) -> Bool { name.hasPrefix(redirect + ".") }

  /// Of 144 bits; nothing is gained by guessing one.
  private static func digest(_ text: String) throws(SDKError) -> String {
    String(Base64URL.encode(try SDKCore.digest(of: text.utf8)).prefix(24))
  }
}
