import JSON
import Pinning
import Primitives

/// The document of `pins.json`.
enum JSONPins {
  static func export(_ sets: [PinSet]) -> PinExport {
    var members = PinDocument.members(sets)
    members["version"] = 1
    return PinExport(text: JSON.object(members).serialized(.pretty) + "\n", losses: [])
  }

  static func read(_ bytes: [UInt8]) throws(PinFormatError) -> PinImport {
    let members = try object(bytes)
    guard members["version"]?.int == 1 else {
      throw PinFormatError(cause: "'version' is missing or not 1")
    }
    return PinImport(sets: try PinDocument.sets(in: members), losses: [])
  }

  static func object(_ bytes: [UInt8]) throws(PinFormatError) -> JSONObject {
    do {
      guard let members = try JSON(parsing: bytes).object else {
        throw PinFormatError(cause: "it is not an object")
      }
      return members
    } catch let error as PinFormatError {
      throw error
    } catch {
      throw PinFormatError(cause: "\(error)")
    }
  }
}
