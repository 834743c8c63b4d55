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
    do {
      return PinImport(sets: try PinDocument.sets(in: members), losses: [])
    } catch {
      throw PinFormatError(cause: error.cause)
    }
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

/// `ssl_config.json` of react-native-ssl-manager: `sha256Keys` with an array of pins for each host.
///
/// The package covers all names below a host on both platforms.
enum ReactNativePins {
  static func export(_ sets: [PinSet]) -> PinExport {
    var losses: [String] = []
    var hosts: [(String, JSON)] = []
    for set in sets {
      losses += PinCapabilities([.allSubdomains]).losses(of: set)
      if set.pattern.subdomains != .all {
        losses.append(
          "\(set.pattern): react-native-ssl-manager covers all subdomains on iOS and Android")
      }
      hosts.append((set.host, .strings(set.keys.map(\.pin.description))))
    }
    let document: JSON = ["sha256Keys": .object(JSONObject(hosts))]
    return PinExport(text: document.serialized(.pretty) + "\n", losses: losses)
  }

  static func read(_ bytes: [UInt8]) throws(PinFormatError) -> PinImport {
    let members = try JSONPins.object(bytes)
    guard let hosts = members["sha256Keys"]?.object else {
      throw PinFormatError(cause: "'sha256Keys' is missing or not an object")
    }
    var sets: [PinSet] = []
    for (name, value) in hosts.sorted {
      guard let pattern = PinPattern(host: name, subdomains: .all) else {
        throw PinFormatError(cause: "'\(shown(name))' is not a host name")
      }
      guard let texts = value.strings, !texts.isEmpty else {
        throw PinFormatError(cause: "\(name): it is not an array of pins")
      }
      let keys = try texts.map { (text) throws(PinFormatError) in
        guard text.hasPrefix("sha256/") else {
          throw PinFormatError(cause: "\(name): '\(shown(text))' does not begin with sha256/")
        }
        return try PinnedKey.imported(base64: String(text.dropFirst(7)), name)
      }
      sets.append(PinSet(pattern, keys: keys))
    }
    let known = ["sha256Keys"]
    return PinImport(
      sets: sets,
      losses: members.keys.filter { !known.contains($0) }.sorted()
        .map { "the member '\(shown($0))' is not used" })
  }
}
