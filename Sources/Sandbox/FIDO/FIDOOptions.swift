import JSON

/// How the UAF server behaves, as `sdkctl-sandbox fido NAME=VALUE` sets it.
struct FIDOOptions: Sendable {
  /// Where the result of an authentication is.
  enum Result: String, CaseIterable, Sendable {
    /// Cookies.
    case cookie
    /// A JWT in the field Authorization of the response.
    case jwtField = "jwt-field"
    /// A JWT in the member `jwt` of the response.
    case jwtMember = "jwt-member"
    /// A JWT among the additional tokens of the response.
    case jwtToken = "jwt-token"
  }

  var result = Result.cookie
  /// Seconds that a request or a token is valid.
  var lifetime = 120
  /// Whether attestation certificates must lead to one that was loaded.
  var needsRoot = false
  /// The models that a registration accepts; without any, all that are known.
  var accepted: [String] = []
  /// How many authentications with a new key are told that the key is not known.
  var late = 0
  /// The UAF status of the next response, whatever was sent.
  var status: Int?
  /// What every authentication has to confirm: a text, or `png`.
  var transaction: String?
  /// Facets that are trusted beside the issuer.
  var facets: [String] = []
  /// The application ID; without it, the address of the list of facets.
  var applicationID: String?

  static let names = [
    "result", "lifetime", "attestation", "accept", "late", "status", "transaction", "facets",
    "app-id",
  ]

  /// Sets an option.
  ///
  /// - Returns: whether there is such an option and it takes the value. `default` undoes a setting.
  mutating func set(_ name: String, _ value: String) -> Bool {
    let fresh = FIDOOptions()
    let isDefault = value == "default"
    func number(_ range: ClosedRange<Int>) -> Int? {
      Int(value).flatMap { range.contains($0) ? $0 : nil }
    }
    switch name {
    case "result":
      guard let result = isDefault ? fresh.result : Result(rawValue: value) else { return false }
      self.result = result
    case "lifetime":
      guard let seconds = isDefault ? fresh.lifetime : number(0...86_400) else { return false }
      lifetime = seconds
    case "attestation":
      guard isDefault || ["any", "loaded"].contains(value) else { return false }
      needsRoot = value == "loaded"
    case "accept": accepted = isDefault ? [] : Self.list(value)
    case "late":
      guard let count = isDefault ? fresh.late : number(0...100) else { return false }
      late = count
    case "status":
      status = isDefault ? nil : number(1000...1999)
      return isDefault || status != nil
    case "transaction": transaction = isDefault ? nil : value
    case "facets": facets = isDefault ? [] : Self.list(value)
    case "app-id": applicationID = isDefault ? nil : value
    default: return false
    }
    return true
  }

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map(String.init)
  }

  var json: JSON {
    [
      "result": .string(result.rawValue), "lifetime": .int(lifetime),
      "attestation": needsRoot ? "loaded" : "any", "accept": .strings(accepted), "late": .int(late),
      "status": status.map(JSON.int) ?? .null,
      "transaction": transaction.map(JSON.string) ?? .null, "facets": .strings(facets),
      "app-id": applicationID.map(JSON.string) ?? .null,
    ]
  }
}
