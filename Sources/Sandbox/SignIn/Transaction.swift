/// A login or a device's question that a person is in the middle of.
struct Transaction: Sendable {
  enum Purpose: Sendable {
    case login(AuthorizationRequest)
    case device(userCode: String)
  }

  let purpose: Purpose
  let expiresAt: Int
  /// The cookie of the browser it began in: another browser cannot go on with it.
  let browser: String
  /// A fault that the request asked for.
  var fault: Fault?
  /// Whether the person has signed in for this very transaction.
  var signedIn = false
}

/// The transactions in progress.
struct Transactions: Sendable {
  private var byID: [String: Transaction] = [:]

  static let lifetime = 600

  mutating func begin(_ transaction: Transaction, now: Int) -> String {
    if byID.count > 1_000 { byID = byID.filter { $0.value.expiresAt > now } }
    let id = Secret.make()
    byID[id] = transaction
    return id
  }

  /// The transaction, if it belongs to this browser and is not over.
  func find(_ id: String?, browser: String?, now: Int) -> Transaction? {
    guard let id, let transaction = byID[id], now < transaction.expiresAt,
      let browser, Secret.same(browser, transaction.browser)
    else { return nil }
    return transaction
  }

  mutating func markSignedIn(_ id: String) { byID[id]?.signedIn = true }

  mutating func end(_ id: String) { byID[id] = nil }
}
