/// Device authorizations in progress (RFC 8628).
struct DeviceGrants: Sendable {
  struct Request: Sendable {
    let userCode: String
    let clientID: String
    let scopes: [String]
    let expiresAt: Int
    var interval: Int
    var lastPoll: Int?
    var state = State.pending
  }

  enum State: Sendable {
    case pending
    case denied
    case allowed(Grant)
  }

  private var byDeviceCode: [String: Request] = [:]

  /// Letters that cannot be taken for one another or spell a word.
  private static let letters = Array("BCDFGHJKLMNPQRSTVWXZ")

  mutating func start(
    clientID: String, scopes: [String], lifetime: Int, interval: Int, now: Int
  ) -> (deviceCode: String, userCode: String) {
    byDeviceCode = byDeviceCode.filter { $0.value.expiresAt + 600 > now }
    let deviceCode = Secret.make()
    let letters = Secret.randomBytes(8).map { Self.letters[Int($0) % Self.letters.count] }
    let userCode = String(letters.prefix(4)) + "-" + String(letters.suffix(4))
    byDeviceCode[deviceCode] = Request(
      userCode: userCode, clientID: clientID, scopes: scopes, expiresAt: now + lifetime,
      interval: interval)
    return (deviceCode, userCode)
  }

  /// The request that waits for a person's answer under a code, however it was typed.
  func pending(userCode typed: String, now: Int) -> Request? {
    let code = Self.normal(typed)
    return byDeviceCode.values.first { request in
      guard case .pending = request.state else { return false }
      return now < request.expiresAt && Self.normal(request.userCode) == code
    }
  }

  /// Notes the person's answer.
  mutating func answer(userCode: String, with state: State) {
    for (key, request) in byDeviceCode where request.userCode == userCode {
      byDeviceCode[key]?.state = state
    }
  }

  /// One poll of the client: the grant once, or the error of RFC 8628 section 3.5.
  mutating func poll(deviceCode: String, clientID: String, now: Int) throws(OAuthError) -> Grant {
    guard var request = byDeviceCode[deviceCode], request.clientID == clientID else {
      throw .invalidGrant("the device code is unknown")
    }
    guard now < request.expiresAt else {
      throw OAuthError("expired_token", "the device code has expired")
    }
    switch request.state {
    case .allowed(let grant):
      byDeviceCode[deviceCode] = nil
      return grant
    case .denied:
      byDeviceCode[deviceCode] = nil
      throw OAuthError("access_denied", "the person refused")
    case .pending: break
    }
    let isHasty = request.lastPoll.map { now - $0 < request.interval } ?? false
    request.lastPoll = now
    if isHasty { request.interval += 5 }
    byDeviceCode[deviceCode] = request
    throw isHasty
      ? OAuthError("slow_down", "poll every \(request.interval) seconds")
      : OAuthError("authorization_pending", "the person has not answered yet")
  }

  private static func normal(_ code: String) -> String {
    String(code.uppercased().filter { $0.isLetter })
  }
}
