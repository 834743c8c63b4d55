import JSON

/// Where a sandbox serves, and what a profile needs to trust it.
struct ServedAddress: Equatable {
  let port: Int
  let mutualPort: Int
  let pins: [String]
  /// The key that requests must be encrypted to; nothing if they need not be.
  let payloadKey: String?
}

/// What a background sandbox tells the process that started it, as one line of JSON.
enum Announcement: Equatable {
  case serving(ServedAddress)
  case failed(Failure)

  /// Reads what the child said, or nothing when it ended without a word.
  init?(_ bytes: [UInt8]) {
    guard let json = try? JSON(parsing: bytes) else { return nil }
    if let port = json["port"]?.integer {
      self = .serving(
        ServedAddress(
          port: port, mutualPort: json["mtlsPort"]?.integer ?? 0, pins: json["pins"]?.strings ?? [],
          payloadKey: json["payloadKey"]?.string))
    } else {
      let exit = json["exit"]?.integer.flatMap { Failure.Exit(rawValue: Int32($0)) }
      self = .failed(
        Failure(json["error"]?.string ?? "", hint: json["hint"]?.string, exit: exit ?? .other))
    }
  }

  var json: JSON {
    switch self {
    case .serving(let address):
      [
        "port": .int(address.port), "mtlsPort": .int(address.mutualPort),
        "pins": .strings(address.pins), "payloadKey": address.payloadKey.map(JSON.string) ?? .null,
      ]
    case .failed(let failure):
      [
        "error": .string(failure.message), "hint": failure.hint.map(JSON.string) ?? .null,
        "exit": .int(failure.exit.rawValue),
      ]
    }
  }
}
