import JSON
import Primitives
import SDKCore

/// Says which refresh token a machine presents to the authorization server, beside the document that has the token.
struct PresentationNote: Sendable, Hashable {
  /// The random name of the machine.
  let machine: String
  /// The machine and the process, for people.
  let owner: String
  /// A digest of the token.
  let token: String
  /// By the clock of the store.
  let time: Timestamp
  /// The counter of the document that has the token.
  let counter: Int64

  init(machine: String, owner: String, token: String, time: Timestamp, counter: Int64) {
    (self.machine, self.owner, self.token) = (machine, owner, token)
    (self.time, self.counter) = (time, counter)
  }

  /// Reads a note; `nil` if it is none.
  init?(_ bytes: [UInt8]) {
    guard let members = (try? JSON(parsing: bytes))?.object, let token = members["token"]?.string,
      let time = members["time"]?.time, let counter = members["counter"]?.int
    else { return nil }
    self.init(
      machine: members["machine"]?.string ?? "", owner: members["owner"]?.string ?? "",
      token: token, time: time, counter: counter)
  }

  var bytes: [UInt8] {
    JSON.members([
      "machine": .string(machine), "owner": .string(owner), "token": .string(token),
      "time": .time(time), "counter": .int(counter),
    ]).serializedBytes()
  }

  /// Whether a machine that left this note may have spent the token that another one wants to present.
  func forbids(_ other: PresentationNote) -> Bool {
    machine != other.machine && token == other.token && counter >= other.counter
      && (time - Self.rest..<time + Self.rest).contains(other.time)
  }

  private static let rest: Int64 = 300
}
