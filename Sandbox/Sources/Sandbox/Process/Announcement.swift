import Glibc

/// What a background sandbox tells the process that started it, as one line of JSON.
enum Announcement: Equatable {
  case serving(port: Int, mutualPort: Int, pins: [String])
  case failed(Failure)

  /// Says it, once: the reader waits for the end of the pipe.
  func send(to descriptor: Int32) {
    _ = Descriptor.writeAll(json.bytes + [UInt8(ascii: "\n")], to: descriptor)
    close(descriptor)
  }

  /// Reads what the child said, or nothing when it ended without a word.
  init?(_ bytes: [UInt8]) {
    guard let json = JSON(parsing: bytes) else { return nil }
    if let port = json["port"]?.int {
      self = .serving(
        port: port, mutualPort: json["mtlsPort"]?.int ?? 0, pins: json["pins"]?.strings ?? [])
    } else {
      let exit = json["exit"]?.int.flatMap { Failure.Exit(rawValue: Int32($0)) }
      self = .failed(
        Failure(json["error"]?.string ?? "", hint: json["hint"]?.string, exit: exit ?? .other))
    }
  }

  private var json: JSON {
    switch self {
    case .serving(let port, let mutualPort, let pins):
      ["port": .int(port), "mtlsPort": .int(mutualPort), "pins": .list(pins)]
    case .failed(let failure):
      [
        "error": .string(failure.message), "hint": failure.hint.map(JSON.string) ?? .null,
        "exit": .int(Int(failure.exit.rawValue)),
      ]
    }
  }
}
