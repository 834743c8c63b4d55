/// Everything the sandbox remembers.
///
/// It lives in memory and starts anew on `reset`.
struct World: Sendable {
  var users = Users()
  var tries = PasswordTries()
  var clients: ClientRegistry
  var sessions = BrowserSessions()
  var transactions = Transactions()
  var grants = GrantLedger()
  var devices = DeviceGrants()
  var pushed = PushedRequests()
  var proofs = ProofLedger()
  var keys: KeyRing
  var counters = Counters()
  var faults = FaultBoard()
  var enrolments = Enrolments()
  /// The logins at the gateway.
  var gatewaySessions = GatewaySessions()
  var fido = FIDOState()
  /// The hidden values of the pages of a login by form, each with the login it belongs to.
  var formLogins: [String: FormLoginStep] = [:]
  /// The IDs of encrypted requests, so that none is taken twice.
  var payloadIDs: Set<String> = []

  init(keys: KeyRing) {
    clients = ClientRegistry()
    self.keys = keys
  }
}
