import JSON
import Primitives
import SDKCore

/// The documents of slots, with their times.
///
/// In a shared place the times are by the clock of the store, on a machine by its own: a token that a machine with a
/// wrong clock has obtained expires for all at the same moment.
enum SlotDocument {
  static func isSlot(_ path: String) -> Bool { path.containsText("credentials/") }

  /// A document by a clock that is ahead by so many seconds; those of other paths stay as they are.
  static func moved(_ members: JSONObject, of path: String, by seconds: Int64) -> JSONObject {
    guard seconds != 0, isSlot(path) else { return members }
    var members = members
    for name in [end, "obtained"] { members[name] = moved(members[name], by: seconds) }
    if let list = members[cookies]?.array {
      members[cookies] = .array(
        list.map { cookie in
          guard var object = cookie.object else { return cookie }
          object[end] = moved(object[end], by: seconds)
          return .object(object)
        })
    }
    return members
  }

  private static func moved(_ value: JSON?, by seconds: Int64) -> JSON? {
    value?.time.map { .time($0 + seconds) } ?? value
  }

  private static let (end, cookies) = ("expires", "cookies")
}
