/// The operations of UAF, by their names in messages.
package enum UAFOperation: String, Sendable, Hashable, CaseIterable {
  case registration = "Reg"
  case authentication = "Auth"
  case deregistration = "Dereg"

  /// The noun for messages to people.
  package var noun: String {
    switch self {
    case .registration: "registration request"
    case .authentication: "authentication request"
    case .deregistration: "deregistration request"
    }
  }
}
