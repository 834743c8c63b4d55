import JSON

/// The operations that tokens began, and how far they are.
struct FIDOOperations: Sendable {
  struct Token: Sendable {
    let operation: UAFRequest.Operation
    let subject: String?
    let transaction: UAFRequest.Transaction?
    let sessionID: String
    let expiresAt: Int
    /// What the context of the request says.
    let context: JSON
  }

  enum Progress: String, Sendable {
    case created = "tokenCreated"
    case registering = "clientRegistering"
    case authenticating = "clientAuthenticating"
    case succeeded
    case failed
    case unknown
  }

  struct Session: Sendable {
    var progress = Progress.created
    var changedAt: Int
    var subject: String?
    var uafStatus: Int?
    var asmStatus: Int?
    var keys: [JSON] = []
    var isRedeemed = false
    let expiresAt: Int
    var target: DispatchTargets.Target?
    var dispatcher: JSON?
  }

  private var tokens: [String: Token] = [:]
  private var sessions: [String: Session] = [:]

  /// Notes a new token.
  mutating func add(_ text: String, _ token: Token, _ session: Session, now: Int) {
    tokens = tokens.filter { $0.value.expiresAt + 600 > now }
    sessions = sessions.filter { $0.value.expiresAt + 600 > now }
    tokens[text] = token
    sessions[token.sessionID] = session
  }

  /// Redeems a token, once.
  mutating func redeem(
    _ text: String, _ operation: UAFRequest.Operation, now: Int
  ) throws(UAFRefusal) -> Token {
    guard let token = tokens.removeValue(forKey: text), token.operation == operation else {
      throw UAFRefusal(1404, "the token is unknown, or was redeemed already")
    }
    guard now < token.expiresAt else {
      update(token.sessionID, .failed, now: now)
      throw UAFRefusal(1408, "the token has expired")
    }
    sessions[token.sessionID]?.isRedeemed = true
    let progress: Progress =
      switch operation {
      case .registration: .registering
      case .authentication: .authenticating
      case .deregistration: .succeeded
      }
    update(token.sessionID, progress, now: now)
    return token
  }

  mutating func update(
    _ sessionID: String?, _ progress: Progress, now: Int,
    _ change: (inout Session) -> Void = { _ in }
  ) {
    guard let sessionID, sessions[sessionID] != nil else { return }
    sessions[sessionID]?.progress = progress
    sessions[sessionID]?.changedAt = now
    if var session = sessions[sessionID] {
      change(&session)
      sessions[sessionID] = session
    }
  }

  /// The response of the status service.
  func status(_ sessionID: String, now: Int) -> JSON {
    guard let session = sessions[sessionID], now < session.expiresAt + 600 else {
      return ["status": "unknown", "timestamp": .string(ISOTime.text(now))]
    }
    let isTimedOut = !session.isRedeemed && now >= session.expiresAt
    var members: JSONObject = [
      "status": .string((isTimedOut ? .failed : session.progress).rawValue),
      "timestamp": .string(ISOTime.text(session.changedAt)),
    ]
    members["userId"] = session.subject.map(JSON.string)
    members["uafStatusCode"] = session.uafStatus.map(JSON.int)
    members["asmStatusCode"] = session.asmStatus.map(JSON.int)
    if !session.keys.isEmpty { members["authenticators"] = .array(session.keys) }
    var information: JSONObject = [:]
    information["dispatchTargetExtId"] = session.target.map { .string($0.extID) }
    information["dispatcherInformation"] = session.dispatcher
    if session.isRedeemed { information["tokenResult"] = "tokenRedeemed" }
    if isTimedOut { information["tokenResult"] = "tokenTimedOut" }
    members["tokenInformation"] = .object(information)
    return .object(members)
  }
}
