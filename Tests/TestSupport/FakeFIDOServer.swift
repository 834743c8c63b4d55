package import HTTP
package import JSON
import Primitives
import Synchronization
package import UAF

/// A FIDO UAF server behind a ``FakeTransport``: it parses assertions, and does not verify signatures.
package final class FakeFIDOServer: Sendable {
  /// How the server behaves.
  package struct Rules: Sendable {
    /// What an authentication returns: header fields.
    package var result: HTTPFields = [
      HTTPField(known: "Set-Cookie", "sid=s1; Path=/; Secure; HttpOnly")
    ]
    /// Further members of the response to an authentication.
    package var members: JSONObject = [:]
    /// The statuses of the next responses to authentications, in place of 1200.
    package var verdicts: [Int] = []
    /// The status of the response to a registration.
    package var registrationVerdict = 1200
    package var policy: JSON = [
      "accepted": [[["assertionSchemes": ["UAFV1TLV"], "authenticationAlgorithms": [1, 2]]]]
    ]
    package var transactions: [JSON] = []
    package var versions: [Int64] = [0, 1]
    package var appID = "\(FakeFIDOServer.origin)/facets"
    package var facets: JSON = [.string(FakeFIDOServer.origin)]
    /// The operation of requests, in place of the one that was asked for.
    package var operation: String?
    /// The names of users in requests, by those that clients send.
    package var names: [String: String] = [:]
    /// What is returned in place of anything else, by path.
    package var answers: [String: FakeTransport.Response] = [:]
  }

  /// A key that was registered.
  package struct Key: Sendable, Hashable {
    package let aaid: String
    package let keyID: String
    package var user: String
    package var counter: UInt32
  }

  package static let origin = "https://fido.test"

  private struct State {
    var rules = Rules()
    var keys: [Key] = []
    var user = ""
    var requests: [FakeTransport.Sent] = []
    var signed: [SignedData] = []
    var targets: [JSON] = []
  }

  private let state = Mutex(State())

  /// Answers the requests of a transport to ``origin``; others are left to its script.
  package init(_ transport: FakeTransport) {
    transport.setDefaultCheck { self.response(to: $0) }
  }

  package var rules: Rules {
    get { state.withLock { $0.rules } }
    set { state.withLock { $0.rules = newValue } }
  }

  package var keys: [Key] { state.withLock { $0.keys } }

  /// Forgets the keys.
  package func forget() { state.withLock { $0.keys = [] } }

  /// What was asked, in order.
  package var requests: [FakeTransport.Sent] { state.withLock { $0.requests } }

  /// The paths that were asked, in order.
  package var paths: [String] { requests.map { String($0.url.dropFirst(Self.origin.count)) } }

  /// What authenticators signed, in order.
  package var signed: [SignedData] { state.withLock { $0.signed } }

  /// The response to a request; `nil` for one to another server.
  package func response(to request: FakeTransport.Sent) -> FakeTransport.Response? {
    guard request.url.hasPrefix(Self.origin + "/") else { return nil }
    return state.withLock { state in
      state.requests.append(request)
      let path = String(request.url.dropFirst(Self.origin.count))
      if let answer = state.rules.answers[path] { return answer }
      switch path {
      case "/facets": return Self.facets(state.rules)
      case "/uaf/1.1/request/registration/", "/uaf/1.1/request/deregistration/":
        guard request.fields.contains("Authorization") || request.fields.contains("Cookie") else {
          return .status(401)
        }
        return Self.message(request, &state)
      case "/uaf/1.1/request/authentication/": return Self.message(request, &state)
      case let path where path.hasPrefix("/token/dispatch/targets/"):
        return Self.dispatchTargets(request, &state)
      case "/uaf/1.1/registration/": return Self.register(request, &state)
      case "/uaf/1.1/authentication/": return Self.authenticate(request, &state)
      default: return .status(404)
      }
    }
  }

  private static func facets(_ rules: Rules) -> FakeTransport.Response {
    let lists = [0, 1].map { minor -> JSON in
      ["version": ["major": 1, "minor": .int(minor)], "ids": rules.facets]
    }
    return .other(
      200, TrustedFacets.mediaType, (["trustedFacets": .array(lists)] as JSON).serialized())
  }

  private static func message(
    _ request: FakeTransport.Sent, _ state: inout State
  ) -> FakeTransport.Response {
    let asked = try? JSON(parsing: Array(request.body.utf8))
    let context = asked?["context"]?.string.flatMap { try? JSON(parsing: Array($0.utf8)) }
    let named = (context ?? asked)?["username"]?.string ?? ""
    return message(asked?["op"]?.string ?? "Auth", for: named, &state)
  }

  private static func message(
    _ operation: String, for named: String, _ state: inout State
  ) -> FakeTransport.Response {
    state.user = state.rules.names[named] ?? named
    let (rules, user) = (state.rules, state.user)
    let keys = state.keys.filter { $0.user == user }
    if operation == "Dereg" { state.keys.removeAll { $0.user == user } }
    let elements = rules.versions.map { minor -> JSON in
      var element: JSONObject = [
        "header": [
          "upv": ["major": 1, "minor": .int(minor)], "op": .string(rules.operation ?? operation),
          "appID": .string(rules.appID), "serverData": "state",
        ], "challenge": .string(Base64.encode([UInt8](repeating: 7, count: 16), alphabet: .url)),
      ]
      switch operation {
      case "Reg":
        element["username"] = .string(user)
        element["policy"] = rules.policy
      case "Auth":
        element["policy"] = rules.policy
        if !rules.transactions.isEmpty { element["transaction"] = .array(rules.transactions) }
      default:
        element["authenticators"] = .array(
          keys.map { ["aaid": .string($0.aaid), "keyID": .string($0.keyID)] })
      }
      return .object(element)
    }
    let returned: JSON = [
      "statusCode": 1200, "uafRequest": .string(JSON.array(elements).serialized()),
      "op": .string(operation), "lifetimeMillis": 60000,
    ]
    return .other(200, "application/fido+uaf", returned.serialized())
  }

  /// The service of dispatch targets.
  private static func dispatchTargets(
    _ request: FakeTransport.Sent, _ state: inout State
  ) -> FakeTransport.Response {
    guard request.fields.contains("Authorization") || request.fields.contains("Cookie") else {
      return .status(401)
    }
    if request.line.hasPrefix("GET") {
      return .other(
        200, "application/json",
        (["dispatchTargets": .array(state.targets)] as JSON).serialized())
    }
    guard request.line.hasPrefix("POST") else { return .status(204) }
    var target = (try? JSON(parsing: Array(request.body.utf8))) ?? [:]
    target["id"] = "t1"
    target["extId"] = "e1"
    state.targets.append(target)
    return .other(201, "application/json", #"{"id": "t1", "extId": "e1"}"#)
  }

  /// What clients have created, as they sent it.
  package var targets: [JSON] { state.withLock { $0.targets } }

  private static func register(
    _ request: FakeTransport.Sent, _ state: inout State
  ) -> FakeTransport.Response {
    guard let bytes = assertion(request), let parsed = try? RegistrationAssertion(parsing: bytes)
    else { return verdict(1498) }
    if state.rules.registrationVerdict == 1200 {
      state.keys.append(
        Key(
          aaid: parsed.data.aaid.description,
          keyID: Base64.encode(parsed.data.keyID, alphabet: .url), user: state.user,
          counter: parsed.data.signCounter))
    }
    return verdict(state.rules.registrationVerdict)
  }

  private static func authenticate(
    _ request: FakeTransport.Sent, _ state: inout State
  ) -> FakeTransport.Response {
    guard let bytes = assertion(request), let parsed = try? AuthenticationAssertion(parsing: bytes)
    else { return verdict(1498) }
    state.signed.append(parsed.data)
    if !state.rules.verdicts.isEmpty { return verdict(state.rules.verdicts.removeFirst()) }
    let keyID = Base64.encode(parsed.data.keyID, alphabet: .url)
    guard let index = state.keys.firstIndex(where: { $0.keyID == keyID }) else {
      return verdict(1481)
    }
    guard parsed.data.signCounter > state.keys[index].counter else { return verdict(1491) }
    state.keys[index].counter = parsed.data.signCounter
    return verdict(1200, state.rules.result, state.rules.members)
  }

  private static func assertion(_ request: FakeTransport.Sent) -> [UInt8]? {
    guard let message = try? JSON(parsing: Array(request.body.utf8)),
      let text = message["uafResponse"]?.string,
      let response = try? JSON(parsing: Array(text.utf8))
    else { return nil }
    let value = response.array?.first?["assertions"]?.array?.first?["assertion"]?.string
    return value.flatMap { Base64.decode($0.utf8, alphabet: .url) }
  }

  private static func verdict(
    _ status: Int, _ fields: HTTPFields = [], _ members: JSONObject = [:]
  ) -> FakeTransport.Response {
    var members = members
    members["statusCode"] = .int(Int64(status))
    var response = FakeTransport.Response.other(
      200, "application/fido+uaf", JSON.object(members).serialized())
    for field in fields { response.fields.append(field) }
    return response
  }
}
