public import JSON
public import Pinning
public import Primitives

extension PinDocument {
  /// The text of the document with some sets.
  public static func text(of sets: [PinSet]) -> String {
    var members = members(sets)
    members["version"] = 1
    return JSON.object(members).serialized(.pretty) + "\n"
  }

  /// Reads the text of a document.
  ///
  /// - Returns: the members, and the sets that they declare.
  /// - Throws: ``ReadError`` for what is not a document of this version.
  public static func read(
    _ bytes: [UInt8]
  ) throws(ReadError) -> (members: JSONObject, sets: [PinSet]) {
    let document: JSON
    do throws(JSONError) { document = try JSON(parsing: bytes) } catch {
      throw ReadError(cause: "\(error)")
    }
    guard let members = document.object else { throw ReadError(cause: "it is not an object") }
    guard members["version"]?.int == 1 else {
      throw ReadError(cause: "'version' is missing or not 1")
    }
    return (members, try sets(in: members))
  }
}
