import HTTP
import JOSE
import JSON
import OpenSSL
import POSIX
import Primitives
public import SDKCore

/// The dispatch targets of a user at the FIDO server: where it sends the tokens of operations.
public struct DispatchTargetService: Sendable {
  let tokens: TokenService
  let login: FIDOLogin

  var environment: SessionEnvironment { tokens.environment }

  /// The targets that were created here, without asking the server.
  ///
  /// - Throws: ``SDKError/Code/store`` or ``SDKError/Code/invalidConfiguration`` if the file is damaged.
  public func stored() throws(SDKError) -> [DispatchTarget] {
    try DispatchTargetFile(environment).entries.map(\.target)
  }

  /// Asks the server for the targets of a user.
  ///
  /// - Parameter account: the user at the server; `nil` for `fido.user`, else for the one of the session.
  /// - Returns: the targets.
  /// - Throws: ``SDKError`` without a session, or if the server refuses.
  @inline(never)
  public func list(
    of account: String? = nil
  ) async throws(SDKError) -> [DispatchTarget] {
    try await attempt("could not list the dispatch targets") {
      let client = try login.client()
      let (credential, _) = try await tokens.userSession()
      var url = try url(nil, client)
      if let name = account ?? environment.profile[FIDOKeys.user] {
        url = url.adding(["username": name])
      }
      let response = try await client.send(
        .get, nil, accepting: UAFServerClient.jsonType, to: url, with: credential)
      let own = try stored().map(\.id)
      guard let values = (try? JSON(parsing: response.body))?["dispatchTargets"]?.array else {
        throw Self.malformed(response)
      }
      return try values.map { (value) throws(SDKError) in
        let isOwn = value["id"]?.string.map { id in own.contains { sameIdentifier($0, id) } }
        guard let target = DispatchTarget(value, hasKeys: isOwn ?? false) else {
          throw Self.malformed(response)
        }
        return target
      }
    }
  }

  /// Creates a target for this installation, with a key that signs and one that decrypts.
  ///
  /// - Parameters:
  ///   - settings: the address is the identifier of the device without one, and the dispatcher
  ///     `firebase-cloud-messaging`.
  ///   - account: the user at the server; `nil` for `fido.user`, else for the one of the session.
  /// - Returns: the target.
  /// - Throws: ``SDKError`` without a session, or if the server refuses.
  @inline(never)
  public func add(
    _ settings: DispatchTargetSettings, for account: String? = nil
  ) async throws(SDKError) -> DispatchTarget {
    try await attempt("could not add the dispatch target") {
      let client = try login.client()
      let (credential, _) = try await tokens.userSession()
      let file = try DispatchTargetFile(environment)
      let space = try file.proveWritable()
      let signatureKey = try attempt { try SigningKey.generate(.es256) }
      let encryptionKey = try attempt { try DecryptionKey.generate(.ecdhES) }
      var settings = settings
      settings.target = settings.target ?? file.deviceID
      settings.dispatcher = settings.dispatcher ?? Self.pushDispatcher
      var members = settings.members
      members["username"] = (account ?? environment.profile[FIDOKeys.user]).map(JSON.string)
      members["deviceId"] = .string(file.deviceID)
      members["signatureKey"] = .string(signatureKey.publicKey.json.serialized())
      members["encryptionKey"] = encryptionKey.publicKey.map { .string($0.json.serialized()) }
      let message = members
      // A target whose keys are lost is of no use.
      return try await environment.uninterrupted { () async throws(SDKError) in
        let target = try await created(message, with: credential, by: client)
        space.discard()
        try await change { (file) throws(SDKError) in
          try file.put(
            .init(target: target, signatureKey: signatureKey, encryptionKey: encryptionKey))
        }
        return target
      }
    }
  }

  /// The target that the server makes of its members.
  private func created(
    _ members: JSONObject, with credential: Credential, by client: UAFServerClient
  ) async throws(SDKError) -> DispatchTarget {
    let response = try await client.send(
      .post, UAFServerClient.json(.object(members)), accepting: UAFServerClient.jsonType,
      to: try url(nil, client), with: credential)
    let identifiers = (try? JSON(parsing: response.body))?.object ?? [:]
    var members = members
    members["id"] = identifiers["id"]
    members["extId"] = identifiers["extId"]
    guard let target = DispatchTarget(.object(members), hasKeys: true) else {
      throw Self.malformed(response)
    }
    return target
  }

  /// Deletes a target at the server, and its keys here.
  ///
  /// - Parameter id: the identifier of the target.
  /// - Throws: ``SDKError`` without a session, or if the server refuses; the keys stay.
  @inline(never)
  public func remove(_ id: String) async throws(SDKError) {
    try await attempt(Self.deletion) {
      let client = try login.client()
      let (credential, _) = try await tokens.userSession()
      _ = try await client.send(
        .delete, nil, accepting: UAFServerClient.jsonType, to: try url(id, client),
        with: credential)
      try await change { (file) throws(SDKError) in try file.remove(id) }
    }
  }

  /// Deletes the keys of a target here only.
  ///
  /// - Throws: ``SDKError``: `invalidRequest` if they are not here.
  public func forget(_ id: String) async throws(SDKError) {
    try await attempt(Self.deletion) {
      try DispatchTargetFile(environment).require(id)
      try await change { (file) throws(SDKError) in try file.remove(id) }
    }
  }

  /// Changes the file, which no other process does meanwhile.
  private func change(
    _ change: @Sendable (inout DispatchTargetFile) throws(SDKError) -> Void
  ) async throws(SDKError) {
    try await environment.locked(.authenticators) { () throws(SDKError) in
      var file = try DispatchTargetFile(environment)
      try change(&file)
    }
  }

  private func url(_ id: String?, _ client: UAFServerClient) throws(SDKError) -> HTTPURL {
    let url = try client.settings.url(FIDOKeys.dispatchTargetPath)
    guard let id else { return url }
    guard DispatchTarget.isPathSegment(id) else {
      throw SDKError(
        .invalidRequest, cause: "'\(VisibleText.of(id, limit: 40))' is not an identifier")
    }
    return try attempt { try url.appending(id) }
  }

  private static func malformed(_ response: HTTPResponse) -> SDKError {
    SDKError(
      .malformedResponse, cause: "the response of \(response.url.host) has no dispatch target",
      subject: response.url.host)
  }

  private static let deletion = "could not remove the dispatch target"
  private static let pushDispatcher = "firebase-cloud-messaging"
}
