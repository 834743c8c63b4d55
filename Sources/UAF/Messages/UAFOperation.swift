/// The operations of UAF, by their names in messages.
package enum UAFOperation: String, Sendable, Hashable, CaseIterable {
  case registration = "Reg"
  case authentication = "Auth"
  case deregistration = "Dereg"

  /// The name, as in paths of the vendor and for people.
  package var name: String {
    switch self {
    case .registration: "registration"
    case .authentication: "authentication"
    case .deregistration: "deregistration"
    }
  }

  /// The request, for people.
  package var noun: String { "\(name) request" }
}
